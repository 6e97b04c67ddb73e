//! Height fields, textures, skins, and the assets of geoms.

use super::{Check, Requirement, check, maybe_row, row, rows};
use crate::enums::{GeomType, TextureType};
use crate::model::Model;

impl Model {
    /// Data for drawing and collision is complete.
    pub(super) fn check_assets(&self) -> Check {
        self.check_shapes()?;
        self.check_hfields()?;
        self.check_textures()?;
        for s in 0..self.nskin {
            self.check_skin(s)?;
        }
        Ok(())
    }

    /// Height fields and meshes of geoms; contact dimensions.
    fn check_shapes(&self) -> Check {
        for g in self.geoms() {
            let n = match self.geom_type[g] {
                GeomType::Hfield => self.nhfield,
                GeomType::Mesh | GeomType::Sdf => self.nmesh,
                _ => self.nmesh.max(self.nhfield),
            };
            let id = self.geom_dataid[g];
            match self.geom_type[g] {
                GeomType::Hfield => row(id, n, "geom_dataid", g.idx())?,
                _ => maybe_row(id, n, "geom_dataid", g.idx())?,
            }
        }
        let fields = [("geom_condim", self.geom_condim.iter()), ("pair_dim", self.pair_dim.iter())];
        for (field, dims) in fields {
            for (at, dim) in dims.enumerate() {
                let words = Requirement::Such("1, 3, 4 or 6");
                check(matches!(dim, 1 | 3 | 4 | 6), field, at, words)?;
            }
        }
        Ok(())
    }

    fn check_hfields(&self) -> Check {
        let words = Requirement::Such("where all samples are there, at least one");
        for h in 0..self.nhfield {
            let (nrow, ncol) = (i64::from(self.hfield_nrow[h]), i64::from(self.hfield_ncol[h]));
            let adr = i64::from(self.hfield_adr[h]);
            let fits = adr >= 0 && nrow >= 1 && ncol >= 1;
            let end = nrow.checked_mul(ncol).and_then(|n| n.checked_add(adr));
            let fits = fits && end.is_some_and(|end| end <= self.nhfielddata as i64);
            check(fits, "hfield_adr", h, words)?;
        }
        Ok(())
    }

    fn check_textures(&self) -> Check {
        for t in 0..self.ntex {
            let [height, width] = [self.tex_height[t], self.tex_width[t]].map(i64::from);
            let bytes = height
                .checked_mul(width)
                .and_then(|n| n.checked_mul(i64::from(self.tex_nchannel[t])));
            let adr = self.tex_adr[t];
            let end = bytes.and_then(|n| n.checked_add(adr));
            let fits = adr >= 0 && end.is_some_and(|end| end <= self.ntexdata as i64);
            check(fits, "tex_adr", t, Requirement::Such("where all pixels are there"))?;
            // six faces, one below the other
            let cube = self.tex_type[t] != TextureType::T2d;
            let faces = !cube || height == 6 * width || height == width;
            check(faces, "tex_height", t, Requirement::Such("6 times the width of a cube's face"))?;
        }
        Ok(())
    }

    /// Triangles and bones refer to vertices of their skin.
    fn check_skin(&self, s: usize) -> Check {
        let vertices = self.skin_vertnum[s] as usize;
        let texcoord = self.skin_texcoordadr[s];
        let last = self.nskintexvert as i64 - vertices as i64;
        let fits = texcoord == -1 || (texcoord >= 0 && i64::from(texcoord) <= last);
        check(fits, "skin_texcoordadr", s, Requirement::Between(-1, last))?;
        for face in rows(self.skin_faceadr[s], self.skin_facenum[s]) {
            for (k, &v) in self.skin_face[face].iter().enumerate() {
                row(v, vertices, "skin_face", 3 * face + k)?;
            }
        }
        for bone in rows(self.skin_boneadr[s], self.skin_bonenum[s]) {
            for k in rows(self.skin_bonevertadr[bone], self.skin_bonevertnum[bone]) {
                row(self.skin_bonevertid[k], vertices, "skin_bonevertid", k)?;
            }
        }
        Ok(())
    }
}

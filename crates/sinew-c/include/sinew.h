/* Sinew from C and C++: load a model, step it, read and write every field by MuJoCo's names.
 *
 * Handles belong to the caller, who frees each once. Threads may share a model that they only read. A data
 * belongs to one thread at a time. Functions that fail return NULL or -1 and store a message for
 * sinew_last_error() of the same thread. NULL handles, handles of the wrong type, freed handles and unknown
 * names are failures. Integers that C writes to a model are validated by the next call. An object must not be
 * freed while another thread uses it, and the memory of a field must not be used after its handle is freed.
 */
#ifndef SINEW_H
#define SINEW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A compiled model: MuJoCo's mjModel. */
typedef struct SinewModel SinewModel;
/* The state of a simulation and everything computed from it: MuJoCo's mjData. */
typedef struct SinewData SinewData;

/* Types of the values of a field. */
enum {
  SINEW_F64 = 0,
  SINEW_F32 = 1,
  SINEW_I32 = 2,
  SINEW_I64 = 3,
  SINEW_U64 = 4,
  SINEW_U8 = 5,
  SINEW_CHAR = 6
};

/* The memory of a field: rows x cols values of a type, row by row. The memory of arrays whose size the model
 * determines is valid while the handle lives, the memory of lists such as efc_J until the next call. */
typedef struct SinewField {
  void *data;
  size_t rows;
  size_t cols;
  int32_t kind;
} SinewField;

/* The version of the library, as in "0.1.0". */
const char *sinew_version(void);
/* The message of the last failed call of this thread, or an empty string. Valid until the next failure. */
const char *sinew_last_error(void);

/* Loads an MJCF, URDF (.xml, .urdf) or binary (.mjb) file. */
SinewModel *sinew_load_file(const char *path);
/* Loads a model from a string. */
SinewModel *sinew_load_string(const char *xml);
/* Writes a binary model file, which MuJoCo can read, too. */
int sinew_save_binary(const SinewModel *model, const char *path);
/* Frees a model; NULL is ignored. */
void sinew_model_free(SinewModel *model);

/* Creates a state of a model. */
SinewData *sinew_data_new(const SinewModel *model);
/* Copies a state, which branches a simulation. */
SinewData *sinew_data_copy(const SinewData *data);
/* Frees a state; NULL is ignored. */
void sinew_data_free(SinewData *data);

/* Advances the simulation by a number of steps. */
int sinew_step(const SinewModel *model, SinewData *data, int count);
/* Computes forward dynamics, without advancing the state. */
int sinew_forward(const SinewModel *model, SinewData *data);
/* Resets the state to the initial state. */
int sinew_reset(const SinewModel *model, SinewData *data);
/* Resets the state to a keyframe, by index. */
int sinew_reset_keyframe(const SinewModel *model, SinewData *data, int key);

/* Simulation time in seconds; NaN for an invalid handle. */
double sinew_time(const SinewData *data);
/* A size such as "nq" or "nbody"; -1 if the name is unknown. */
int64_t sinew_size(const SinewModel *model, const char *name);
/* The id of an object of a type ("body", "joint", "geom", "site", "actuator", ...); -1 if unknown. */
int sinew_name2id(const SinewModel *model, const char *kind, const char *name);
/* The name of an object, or NULL without a name. Valid while the model lives. */
const char *sinew_id2name(const SinewModel *model, const char *kind, int id);

/* Number of values of some state components; the signature has MuJoCo's mjtState bits. */
int64_t sinew_state_size(const SinewModel *model, int signature);
/* Copies components of the state to `out`, which has capacity for `size` values. */
int sinew_get_state(const SinewModel *model, const SinewData *data, double *out, size_t size, int signature);
/* Sets components of the state from `in`. */
int sinew_set_state(const SinewModel *model, SinewData *data, const double *in, size_t size, int signature);

/* The memory of a field of the model, such as "body_mass", or of an option, such as "opt.timestep". */
int sinew_model_field(SinewModel *model, const char *name, SinewField *out);
/* The memory of a field of the state, such as "qpos" or "xpos". */
int sinew_data_field(SinewData *data, const char *name, SinewField *out);

/* Probable faults of a model, one finding per line; an empty string without any. Free with
 * sinew_string_free. */
char *sinew_check(const SinewModel *model);
/* Frees a string of the library; NULL is ignored. */
void sinew_string_free(char *text);

#ifdef __cplusplus
}
#endif

#endif

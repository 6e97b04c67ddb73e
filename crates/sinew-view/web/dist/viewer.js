const Jp=new TextDecoder;function Wc(i,t){const e=new DataView(i).getUint32(t,!0);return[JSON.parse(Jp.decode(new Uint8Array(i,t+4,e))),t+4+e]}function ld(i){return new DataView(i).getUint32(0,!0)}function ur(i){return Wc(i,4)[0]}function Qp(i){const[t,e]=Wc(i,4),n=s=>s&&{n:s.n,pos:new Float32Array(i,e+s.pos,3*s.n),normal:new Int8Array(i,e+s.normal,4*s.n),uv:new Float32Array(i,e+s.uv,2*s.n)};t.meshes=t.meshes.map(s=>({surface:n(s.surface),hull:n(s.hull)})),t.hfields=t.hfields.map(n);for(const s of t.textures){const r=s.complete?s.width*s.height*s.channels:0;s.data=new Uint8Array(i,e+s.at,r)}for(const s of t.skins)s.index=new Uint32Array(i,e+s.face,3*s.faces),s.texcoord=s.uv===null?null:new Float32Array(i,e+s.uv,2*s.verts);return t}const Aa=14;function cd(i){const t=new DataView(i),e=t.getUint32(8,!0),n=new Int32Array(i,12,e*Aa),s=new Float32Array(i,12,e*Aa),r=[];for(let a=0;a<e;a++){const o=a*Aa,l=n[o+5];r.push({type:n[o],dataid:n[o+1],matid:n[o+2],objtype:n[o+3],objid:n[o+4],category:l&255,texcoord:!!(l&256),extra:!!(l&1024),rgba:[...s.subarray(o+6,o+10)],emission:s[o+10],specular:s[o+11],shininess:s[o+12],reflectance:s[o+13],label:""})}for(const[a,o]of Wc(i,12+4*e*Aa)[0])r[a].label=o;return{version:t.getUint32(4,!0),geoms:r}}const Ku=26;function tm(i,t,e){const n=new Int32Array(i,t,e/4),s=new Float32Array(i,t,e/4),r=[];for(let a=0;a+Ku<=s.length;a+=Ku){const o=l=>[s[a+l],s[a+l+1],s[a+l+2]];r.push({id:n[a],type:n[a+1],head:!!(n[a+2]&1),shadow:!!(n[a+2]&2),pos:o(3),dir:o(6),ambient:o(9),diffuse:o(12),specular:o(15),attenuation:o(18),cutoff:s[a+21],exponent:s[a+22]})}return r}function em(i){const t=new DataView(i),e={number:t.getUint32(4,!0),time:t.getFloat64(8,!0),style:t.getUint32(16,!0),poses:new Float32Array(0),lights:[],surfaces:[],tubes:[],balls:[],numbers:[]};let n=24;for(;n+12<=i.byteLength;){const[s,r,a]=[0,4,8].map(l=>t.getUint32(n+l,!0)),o=n+12;if(n=o+a,s===1)e.poses=new Float32Array(i,o,a/4);else if(s===2)e.lights=tm(i,o,a);else if(s===6)e.numbers[r]=new Float32Array(i,o,a/4);else if(s===4||s===5){const l=s===4?e.tubes:e.balls,c=new Float32Array(i,o+4,a/4-1);l.push({geom:r,radius:t.getFloat32(o,!0),points:c})}else if(s===3){const l=t.getUint32(o,!0),c=t.getUint32(o+4,!0),u=new Float32Array(i,o+8,3*l),h=new Int8Array(i,o+8+12*l,4*l),f=c?new Float32Array(i,o+8+16*l,2*l):null;e.surfaces.push({geom:r,n:l,pos:u,normal:h,uv:f})}}return e}const Xc="180",nm=0,ju=1,im=2,Yc=1,ud=2,Li=3,Oi=0,An=1,ai=2,ns=0,mr=1,Zu=2,Ju=3,Qu=4,sm=5,ys=100,rm=101,am=102,om=103,lm=104,cm=200,um=201,hm=202,fm=203,Hl=204,Vl=205,dm=206,pm=207,mm=208,gm=209,_m=210,vm=211,xm=212,Mm=213,Sm=214,Gl=0,Wl=1,Xl=2,vr=3,Yl=4,ql=5,$l=6,Kl=7,qc=0,ym=1,Em=2,is=0,bm=1,Tm=2,wm=3,Am=4,Rm=5,Cm=6,Pm=7,hd=300,xr=301,Mr=302,jl=303,Zl=304,Co=306,vo=1e3,ws=1001,Jl=1002,kn=1003,Dm=1004,Ra=1005,li=1006,Jo=1007,es=1008,yi=1009,fd=1010,dd=1011,ca=1012,$c=1013,Rs=1014,xi=1015,xa=1016,Kc=1017,jc=1018,ua=1020,pd=35902,md=35899,gd=1021,_d=1022,ci=1023,ha=1026,fa=1027,Zc=1028,Jc=1029,vd=1030,Qc=1031,tu=1033,co=33776,uo=33777,ho=33778,fo=33779,Ql=35840,tc=35841,ec=35842,nc=35843,ic=36196,sc=37492,rc=37496,ac=37808,oc=37809,lc=37810,cc=37811,uc=37812,hc=37813,fc=37814,dc=37815,pc=37816,mc=37817,gc=37818,_c=37819,vc=37820,xc=37821,Mc=36492,Sc=36494,yc=36495,Ec=36283,bc=36284,Tc=36285,wc=36286,Lm=3200,Um=3201,xd=0,Im=1,ts="",Kn="srgb",Cs="srgb-linear",xo="linear",we="srgb",Ws=7680,th=519,Nm=512,Fm=513,Om=514,Md=515,Bm=516,zm=517,km=518,Hm=519,Ac=35044,Vm=35048,eh="300 es",Mi=2e3,Mo=2001;class wr{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});const n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){const n=this._listeners;return n===void 0?!1:n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){const n=this._listeners;if(n===void 0)return;const s=n[t];if(s!==void 0){const r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){const e=this._listeners;if(e===void 0)return;const n=e[t.type];if(n!==void 0){t.target=this;const s=n.slice(0);for(let r=0,a=s.length;r<a;r++)s[r].call(this,t);t.target=null}}}const pn=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],po=Math.PI/180,So=180/Math.PI;function ss(){const i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(pn[i&255]+pn[i>>8&255]+pn[i>>16&255]+pn[i>>24&255]+"-"+pn[t&255]+pn[t>>8&255]+"-"+pn[t>>16&15|64]+pn[t>>24&255]+"-"+pn[e&63|128]+pn[e>>8&255]+"-"+pn[e>>16&255]+pn[e>>24&255]+pn[n&255]+pn[n>>8&255]+pn[n>>16&255]+pn[n>>24&255]).toLowerCase()}function ue(i,t,e){return Math.max(t,Math.min(e,i))}function Gm(i,t){return(i%t+t)%t}function Qo(i,t,e){return(1-e)*i+e*t}function vi(i,t){switch(t.constructor){case Float32Array:return i;case Uint32Array:return i/4294967295;case Uint16Array:return i/65535;case Uint8Array:return i/255;case Int32Array:return Math.max(i/2147483647,-1);case Int16Array:return Math.max(i/32767,-1);case Int8Array:return Math.max(i/127,-1);default:throw new Error("Invalid component type.")}}function Ae(i,t){switch(t.constructor){case Float32Array:return i;case Uint32Array:return Math.round(i*4294967295);case Uint16Array:return Math.round(i*65535);case Uint8Array:return Math.round(i*255);case Int32Array:return Math.round(i*2147483647);case Int16Array:return Math.round(i*32767);case Int8Array:return Math.round(i*127);default:throw new Error("Invalid component type.")}}class ie{constructor(t=0,e=0){ie.prototype.isVector2=!0,this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){const e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=ue(this.x,t.x,e.x),this.y=ue(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=ue(this.x,t,e),this.y=ue(this.y,t,e),this}clampLength(t,e){const n=this.length();return this.divideScalar(n||1).multiplyScalar(ue(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){const e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;const n=this.dot(t)/e;return Math.acos(ue(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){const e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){const n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,a=this.y-t.y;return this.x=r*n-a*s+t.x,this.y=r*s+a*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}}class Ar{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,a,o){let l=n[s+0],c=n[s+1],u=n[s+2],h=n[s+3];const f=r[a+0],p=r[a+1],_=r[a+2],x=r[a+3];if(o===0){t[e+0]=l,t[e+1]=c,t[e+2]=u,t[e+3]=h;return}if(o===1){t[e+0]=f,t[e+1]=p,t[e+2]=_,t[e+3]=x;return}if(h!==x||l!==f||c!==p||u!==_){let m=1-o;const d=l*f+c*p+u*_+h*x,T=d>=0?1:-1,w=1-d*d;if(w>Number.EPSILON){const L=Math.sqrt(w),R=Math.atan2(L,d*T);m=Math.sin(m*R)/L,o=Math.sin(o*R)/L}const S=o*T;if(l=l*m+f*S,c=c*m+p*S,u=u*m+_*S,h=h*m+x*S,m===1-o){const L=1/Math.sqrt(l*l+c*c+u*u+h*h);l*=L,c*=L,u*=L,h*=L}}t[e]=l,t[e+1]=c,t[e+2]=u,t[e+3]=h}static multiplyQuaternionsFlat(t,e,n,s,r,a){const o=n[s],l=n[s+1],c=n[s+2],u=n[s+3],h=r[a],f=r[a+1],p=r[a+2],_=r[a+3];return t[e]=o*_+u*h+l*p-c*f,t[e+1]=l*_+u*f+c*h-o*p,t[e+2]=c*_+u*p+o*f-l*h,t[e+3]=u*_-o*h-l*f-c*p,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){const n=t._x,s=t._y,r=t._z,a=t._order,o=Math.cos,l=Math.sin,c=o(n/2),u=o(s/2),h=o(r/2),f=l(n/2),p=l(s/2),_=l(r/2);switch(a){case"XYZ":this._x=f*u*h+c*p*_,this._y=c*p*h-f*u*_,this._z=c*u*_+f*p*h,this._w=c*u*h-f*p*_;break;case"YXZ":this._x=f*u*h+c*p*_,this._y=c*p*h-f*u*_,this._z=c*u*_-f*p*h,this._w=c*u*h+f*p*_;break;case"ZXY":this._x=f*u*h-c*p*_,this._y=c*p*h+f*u*_,this._z=c*u*_+f*p*h,this._w=c*u*h-f*p*_;break;case"ZYX":this._x=f*u*h-c*p*_,this._y=c*p*h+f*u*_,this._z=c*u*_-f*p*h,this._w=c*u*h+f*p*_;break;case"YZX":this._x=f*u*h+c*p*_,this._y=c*p*h+f*u*_,this._z=c*u*_-f*p*h,this._w=c*u*h-f*p*_;break;case"XZY":this._x=f*u*h-c*p*_,this._y=c*p*h-f*u*_,this._z=c*u*_+f*p*h,this._w=c*u*h+f*p*_;break;default:console.warn("THREE.Quaternion: .setFromEuler() encountered an unknown order: "+a)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){const n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){const e=t.elements,n=e[0],s=e[4],r=e[8],a=e[1],o=e[5],l=e[9],c=e[2],u=e[6],h=e[10],f=n+o+h;if(f>0){const p=.5/Math.sqrt(f+1);this._w=.25/p,this._x=(u-l)*p,this._y=(r-c)*p,this._z=(a-s)*p}else if(n>o&&n>h){const p=2*Math.sqrt(1+n-o-h);this._w=(u-l)/p,this._x=.25*p,this._y=(s+a)/p,this._z=(r+c)/p}else if(o>h){const p=2*Math.sqrt(1+o-n-h);this._w=(r-c)/p,this._x=(s+a)/p,this._y=.25*p,this._z=(l+u)/p}else{const p=2*Math.sqrt(1+h-n-o);this._w=(a-s)/p,this._x=(r+c)/p,this._y=(l+u)/p,this._z=.25*p}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<1e-8?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(ue(this.dot(t),-1,1)))}rotateTowards(t,e){const n=this.angleTo(t);if(n===0)return this;const s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){const n=t._x,s=t._y,r=t._z,a=t._w,o=e._x,l=e._y,c=e._z,u=e._w;return this._x=n*u+a*o+s*c-r*l,this._y=s*u+a*l+r*o-n*c,this._z=r*u+a*c+n*l-s*o,this._w=a*u-n*o-s*l-r*c,this._onChangeCallback(),this}slerp(t,e){if(e===0)return this;if(e===1)return this.copy(t);const n=this._x,s=this._y,r=this._z,a=this._w;let o=a*t._w+n*t._x+s*t._y+r*t._z;if(o<0?(this._w=-t._w,this._x=-t._x,this._y=-t._y,this._z=-t._z,o=-o):this.copy(t),o>=1)return this._w=a,this._x=n,this._y=s,this._z=r,this;const l=1-o*o;if(l<=Number.EPSILON){const p=1-e;return this._w=p*a+e*this._w,this._x=p*n+e*this._x,this._y=p*s+e*this._y,this._z=p*r+e*this._z,this.normalize(),this}const c=Math.sqrt(l),u=Math.atan2(c,o),h=Math.sin((1-e)*u)/c,f=Math.sin(e*u)/c;return this._w=a*h+this._w*f,this._x=n*h+this._x*f,this._y=s*h+this._y*f,this._z=r*h+this._z*f,this._onChangeCallback(),this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){const t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}}class V{constructor(t=0,e=0,n=0){V.prototype.isVector3=!0,this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(nh.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(nh.setFromAxisAngle(t,e))}applyMatrix3(t){const e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){const e=this.x,n=this.y,s=this.z,r=t.elements,a=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*a,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*a,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*a,this}applyQuaternion(t){const e=this.x,n=this.y,s=this.z,r=t.x,a=t.y,o=t.z,l=t.w,c=2*(a*s-o*n),u=2*(o*e-r*s),h=2*(r*n-a*e);return this.x=e+l*c+a*h-o*u,this.y=n+l*u+o*c-r*h,this.z=s+l*h+r*u-a*c,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){const e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=ue(this.x,t.x,e.x),this.y=ue(this.y,t.y,e.y),this.z=ue(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=ue(this.x,t,e),this.y=ue(this.y,t,e),this.z=ue(this.z,t,e),this}clampLength(t,e){const n=this.length();return this.divideScalar(n||1).multiplyScalar(ue(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){const n=t.x,s=t.y,r=t.z,a=e.x,o=e.y,l=e.z;return this.x=s*l-r*o,this.y=r*a-n*l,this.z=n*o-s*a,this}projectOnVector(t){const e=t.lengthSq();if(e===0)return this.set(0,0,0);const n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return tl.copy(this).projectOnVector(t),this.sub(tl)}reflect(t){return this.sub(tl.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){const e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;const n=this.dot(t)/e;return Math.acos(ue(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){const e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){const s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){const e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){const e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){const t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}}const tl=new V,nh=new Ar;class ne{constructor(t,e,n,s,r,a,o,l,c){ne.prototype.isMatrix3=!0,this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,a,o,l,c)}set(t,e,n,s,r,a,o,l,c){const u=this.elements;return u[0]=t,u[1]=s,u[2]=o,u[3]=e,u[4]=r,u[5]=l,u[6]=n,u[7]=a,u[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){const e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){const e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){const n=t.elements,s=e.elements,r=this.elements,a=n[0],o=n[3],l=n[6],c=n[1],u=n[4],h=n[7],f=n[2],p=n[5],_=n[8],x=s[0],m=s[3],d=s[6],T=s[1],w=s[4],S=s[7],L=s[2],R=s[5],U=s[8];return r[0]=a*x+o*T+l*L,r[3]=a*m+o*w+l*R,r[6]=a*d+o*S+l*U,r[1]=c*x+u*T+h*L,r[4]=c*m+u*w+h*R,r[7]=c*d+u*S+h*U,r[2]=f*x+p*T+_*L,r[5]=f*m+p*w+_*R,r[8]=f*d+p*S+_*U,this}multiplyScalar(t){const e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){const t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],a=t[4],o=t[5],l=t[6],c=t[7],u=t[8];return e*a*u-e*o*c-n*r*u+n*o*l+s*r*c-s*a*l}invert(){const t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],a=t[4],o=t[5],l=t[6],c=t[7],u=t[8],h=u*a-o*c,f=o*l-u*r,p=c*r-a*l,_=e*h+n*f+s*p;if(_===0)return this.set(0,0,0,0,0,0,0,0,0);const x=1/_;return t[0]=h*x,t[1]=(s*c-u*n)*x,t[2]=(o*n-s*a)*x,t[3]=f*x,t[4]=(u*e-s*l)*x,t[5]=(s*r-o*e)*x,t[6]=p*x,t[7]=(n*l-c*e)*x,t[8]=(a*e-n*r)*x,this}transpose(){let t;const e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){const e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,a,o){const l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*a+c*o)+a+t,-s*c,s*l,-s*(-c*a+l*o)+o+e,0,0,1),this}scale(t,e){return this.premultiply(el.makeScale(t,e)),this}rotate(t){return this.premultiply(el.makeRotation(-t)),this}translate(t,e){return this.premultiply(el.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){const e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){const e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){const n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}}const el=new ne;function Sd(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function yo(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function Wm(){const i=yo("canvas");return i.style.display="block",i}const ih={};function da(i){i in ih||(ih[i]=!0,console.warn(i))}function Xm(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}const sh=new ne().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),rh=new ne().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function Ym(){const i={enabled:!0,workingColorSpace:Cs,spaces:{},convert:function(s,r,a){return this.enabled===!1||r===a||!r||!a||(this.spaces[r].transfer===we&&(s.r=Ii(s.r),s.g=Ii(s.g),s.b=Ii(s.b)),this.spaces[r].primaries!==this.spaces[a].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[a].fromXYZ)),this.spaces[a].transfer===we&&(s.r=gr(s.r),s.g=gr(s.g),s.b=gr(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===ts?xo:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,a){return s.copy(this.spaces[r].toXYZ).multiply(this.spaces[a].fromXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace},fromWorkingColorSpace:function(s,r){return da("THREE.ColorManagement: .fromWorkingColorSpace() has been renamed to .workingToColorSpace()."),i.workingToColorSpace(s,r)},toWorkingColorSpace:function(s,r){return da("THREE.ColorManagement: .toWorkingColorSpace() has been renamed to .colorSpaceToWorking()."),i.colorSpaceToWorking(s,r)}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[Cs]:{primaries:t,whitePoint:n,transfer:xo,toXYZ:sh,fromXYZ:rh,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:Kn},outputColorSpaceConfig:{drawingBufferColorSpace:Kn}},[Kn]:{primaries:t,whitePoint:n,transfer:we,toXYZ:sh,fromXYZ:rh,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:Kn}}}),i}const fe=Ym();function Ii(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function gr(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}let Xs;class qm{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let n;if(t instanceof HTMLCanvasElement)n=t;else{Xs===void 0&&(Xs=yo("canvas")),Xs.width=t.width,Xs.height=t.height;const s=Xs.getContext("2d");t instanceof ImageData?s.putImageData(t,0,0):s.drawImage(t,0,0,t.width,t.height),n=Xs}return n.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){const e=yo("canvas");e.width=t.width,e.height=t.height;const n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);const s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let a=0;a<r.length;a++)r[a]=Ii(r[a]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){const e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(Ii(e[n]/255)*255):e[n]=Ii(e[n]);return{data:e,width:t.width,height:t.height}}else return console.warn("THREE.ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}}let $m=0;class eu{constructor(t=null){this.isSource=!0,Object.defineProperty(this,"id",{value:$m++}),this.uuid=ss(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){const e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):e instanceof VideoFrame?t.set(e.displayHeight,e.displayWidth,0):e!==null?t.set(e.width,e.height,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){const e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];const n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let a=0,o=s.length;a<o;a++)s[a].isDataTexture?r.push(nl(s[a].image)):r.push(nl(s[a]))}else r=nl(s);n.url=r}return e||(t.images[this.uuid]=n),n}}function nl(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?qm.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(console.warn("THREE.Texture: Unable to serialize Texture."),{})}let Km=0;const il=new V;class gn extends wr{constructor(t=gn.DEFAULT_IMAGE,e=gn.DEFAULT_MAPPING,n=ws,s=ws,r=li,a=es,o=ci,l=yi,c=gn.DEFAULT_ANISOTROPY,u=ts){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:Km++}),this.uuid=ss(),this.name="",this.source=new eu(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=a,this.anisotropy=c,this.format=o,this.internalFormat=null,this.type=l,this.offset=new ie(0,0),this.repeat=new ie(1,1),this.center=new ie(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new ne,this.generateMipmaps=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=u,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0}get width(){return this.source.getSize(il).x}get height(){return this.source.getSize(il).y}get depth(){return this.source.getSize(il).z}get image(){return this.source.data}set image(t=null){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(const e in t){const n=t[e];if(n===void 0){console.warn(`THREE.Texture.setValues(): parameter '${e}' has value of undefined.`);continue}const s=this[e];if(s===void 0){console.warn(`THREE.Texture.setValues(): property '${e}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[e]=n}}toJSON(t){const e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];const n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==hd)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case vo:t.x=t.x-Math.floor(t.x);break;case ws:t.x=t.x<0?0:1;break;case Jl:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case vo:t.y=t.y-Math.floor(t.y);break;case ws:t.y=t.y<0?0:1;break;case Jl:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}}gn.DEFAULT_IMAGE=null;gn.DEFAULT_MAPPING=hd;gn.DEFAULT_ANISOTROPY=1;class Ge{constructor(t=0,e=0,n=0,s=1){Ge.prototype.isVector4=!0,this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){const e=this.x,n=this.y,s=this.z,r=this.w,a=t.elements;return this.x=a[0]*e+a[4]*n+a[8]*s+a[12]*r,this.y=a[1]*e+a[5]*n+a[9]*s+a[13]*r,this.z=a[2]*e+a[6]*n+a[10]*s+a[14]*r,this.w=a[3]*e+a[7]*n+a[11]*s+a[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);const e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r;const l=t.elements,c=l[0],u=l[4],h=l[8],f=l[1],p=l[5],_=l[9],x=l[2],m=l[6],d=l[10];if(Math.abs(u-f)<.01&&Math.abs(h-x)<.01&&Math.abs(_-m)<.01){if(Math.abs(u+f)<.1&&Math.abs(h+x)<.1&&Math.abs(_+m)<.1&&Math.abs(c+p+d-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;const w=(c+1)/2,S=(p+1)/2,L=(d+1)/2,R=(u+f)/4,U=(h+x)/4,F=(_+m)/4;return w>S&&w>L?w<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(w),s=R/n,r=U/n):S>L?S<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(S),n=R/s,r=F/s):L<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(L),n=U/r,s=F/r),this.set(n,s,r,e),this}let T=Math.sqrt((m-_)*(m-_)+(h-x)*(h-x)+(f-u)*(f-u));return Math.abs(T)<.001&&(T=1),this.x=(m-_)/T,this.y=(h-x)/T,this.z=(f-u)/T,this.w=Math.acos((c+p+d-1)/2),this}setFromMatrixPosition(t){const e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=ue(this.x,t.x,e.x),this.y=ue(this.y,t.y,e.y),this.z=ue(this.z,t.z,e.z),this.w=ue(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=ue(this.x,t,e),this.y=ue(this.y,t,e),this.z=ue(this.z,t,e),this.w=ue(this.w,t,e),this}clampLength(t,e){const n=this.length();return this.divideScalar(n||1).multiplyScalar(ue(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}}class jm extends wr{constructor(t=1,e=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:li,depthBuffer:!0,stencilBuffer:!1,resolveDepthBuffer:!0,resolveStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1},n),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=n.depth,this.scissor=new Ge(0,0,t,e),this.scissorTest=!1,this.viewport=new Ge(0,0,t,e);const s={width:t,height:e,depth:n.depth},r=new gn(s);this.textures=[];const a=n.count;for(let o=0;o<a;o++)this.textures[o]=r.clone(),this.textures[o].isRenderTargetTexture=!0,this.textures[o].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview}_setTextureOptions(t={}){const e={minFilter:li,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&(this._depthTexture.renderTarget=null),t!==null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n,this.textures[s].isArrayTexture=this.textures[s].image.depth>1;this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,n=t.textures.length;e<n;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;const s=Object.assign({},t.textures[e].image);this.textures[e].source=new eu(s)}return this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,t.depthTexture!==null&&(this.depthTexture=t.depthTexture.clone()),this.samples=t.samples,this}dispose(){this.dispatchEvent({type:"dispose"})}}class rs extends jm{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}}class yd extends gn{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=kn,this.minFilter=kn,this.wrapR=ws,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}}class Zm extends gn{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=kn,this.minFilter=kn,this.wrapR=ws,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}}class Ls{constructor(t=new V(1/0,1/0,1/0),e=new V(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(ei.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(ei.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){const n=ei.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);const n=t.geometry;if(n!==void 0){const r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0)for(let a=0,o=r.count;a<o;a++)t.isMesh===!0?t.getVertexPosition(a,ei):ei.fromBufferAttribute(r,a),ei.applyMatrix4(t.matrixWorld),this.expandByPoint(ei);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),Ca.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),Ca.copy(n.boundingBox)),Ca.applyMatrix4(t.matrixWorld),this.union(Ca)}const s=t.children;for(let r=0,a=s.length;r<a;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,ei),ei.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(zr),Pa.subVectors(this.max,zr),Ys.subVectors(t.a,zr),qs.subVectors(t.b,zr),$s.subVectors(t.c,zr),Xi.subVectors(qs,Ys),Yi.subVectors($s,qs),ds.subVectors(Ys,$s);let e=[0,-Xi.z,Xi.y,0,-Yi.z,Yi.y,0,-ds.z,ds.y,Xi.z,0,-Xi.x,Yi.z,0,-Yi.x,ds.z,0,-ds.x,-Xi.y,Xi.x,0,-Yi.y,Yi.x,0,-ds.y,ds.x,0];return!sl(e,Ys,qs,$s,Pa)||(e=[1,0,0,0,1,0,0,0,1],!sl(e,Ys,qs,$s,Pa))?!1:(Da.crossVectors(Xi,Yi),e=[Da.x,Da.y,Da.z],sl(e,Ys,qs,$s,Pa))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,ei).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(ei).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(Ai[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),Ai[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),Ai[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),Ai[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),Ai[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),Ai[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),Ai[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),Ai[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(Ai),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}}const Ai=[new V,new V,new V,new V,new V,new V,new V,new V],ei=new V,Ca=new Ls,Ys=new V,qs=new V,$s=new V,Xi=new V,Yi=new V,ds=new V,zr=new V,Pa=new V,Da=new V,ps=new V;function sl(i,t,e,n,s){for(let r=0,a=i.length-3;r<=a;r+=3){ps.fromArray(i,r);const o=s.x*Math.abs(ps.x)+s.y*Math.abs(ps.y)+s.z*Math.abs(ps.z),l=t.dot(ps),c=e.dot(ps),u=n.dot(ps);if(Math.max(-Math.max(l,c,u),Math.min(l,c,u))>o)return!1}return!0}const Jm=new Ls,kr=new V,rl=new V;class Rr{constructor(t=new V,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){const n=this.center;e!==void 0?n.copy(e):Jm.setFromPoints(t).getCenter(n);let s=0;for(let r=0,a=t.length;r<a;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){const e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){const n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;kr.subVectors(t,this.center);const e=kr.lengthSq();if(e>this.radius*this.radius){const n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(kr,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(rl.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(kr.copy(t.center).add(rl)),this.expandByPoint(kr.copy(t.center).sub(rl))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}}const Ri=new V,al=new V,La=new V,qi=new V,ol=new V,Ua=new V,ll=new V;class nu{constructor(t=new V,e=new V(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,Ri)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);const n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){const e=Ri.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(Ri.copy(this.origin).addScaledVector(this.direction,e),Ri.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){al.copy(t).add(e).multiplyScalar(.5),La.copy(e).sub(t).normalize(),qi.copy(this.origin).sub(al);const r=t.distanceTo(e)*.5,a=-this.direction.dot(La),o=qi.dot(this.direction),l=-qi.dot(La),c=qi.lengthSq(),u=Math.abs(1-a*a);let h,f,p,_;if(u>0)if(h=a*l-o,f=a*o-l,_=r*u,h>=0)if(f>=-_)if(f<=_){const x=1/u;h*=x,f*=x,p=h*(h+a*f+2*o)+f*(a*h+f+2*l)+c}else f=r,h=Math.max(0,-(a*f+o)),p=-h*h+f*(f+2*l)+c;else f=-r,h=Math.max(0,-(a*f+o)),p=-h*h+f*(f+2*l)+c;else f<=-_?(h=Math.max(0,-(-a*r+o)),f=h>0?-r:Math.min(Math.max(-r,-l),r),p=-h*h+f*(f+2*l)+c):f<=_?(h=0,f=Math.min(Math.max(-r,-l),r),p=f*(f+2*l)+c):(h=Math.max(0,-(a*r+o)),f=h>0?r:Math.min(Math.max(-r,-l),r),p=-h*h+f*(f+2*l)+c);else f=a>0?-r:r,h=Math.max(0,-(a*f+o)),p=-h*h+f*(f+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,h),s&&s.copy(al).addScaledVector(La,f),p}intersectSphere(t,e){Ri.subVectors(t.center,this.origin);const n=Ri.dot(this.direction),s=Ri.dot(Ri)-n*n,r=t.radius*t.radius;if(s>r)return null;const a=Math.sqrt(r-s),o=n-a,l=n+a;return l<0?null:o<0?this.at(l,e):this.at(o,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){const e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;const n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){const n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){const e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,a,o,l;const c=1/this.direction.x,u=1/this.direction.y,h=1/this.direction.z,f=this.origin;return c>=0?(n=(t.min.x-f.x)*c,s=(t.max.x-f.x)*c):(n=(t.max.x-f.x)*c,s=(t.min.x-f.x)*c),u>=0?(r=(t.min.y-f.y)*u,a=(t.max.y-f.y)*u):(r=(t.max.y-f.y)*u,a=(t.min.y-f.y)*u),n>a||r>s||((r>n||isNaN(n))&&(n=r),(a<s||isNaN(s))&&(s=a),h>=0?(o=(t.min.z-f.z)*h,l=(t.max.z-f.z)*h):(o=(t.max.z-f.z)*h,l=(t.min.z-f.z)*h),n>l||o>s)||((o>n||n!==n)&&(n=o),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,Ri)!==null}intersectTriangle(t,e,n,s,r){ol.subVectors(e,t),Ua.subVectors(n,t),ll.crossVectors(ol,Ua);let a=this.direction.dot(ll),o;if(a>0){if(s)return null;o=1}else if(a<0)o=-1,a=-a;else return null;qi.subVectors(this.origin,t);const l=o*this.direction.dot(Ua.crossVectors(qi,Ua));if(l<0)return null;const c=o*this.direction.dot(ol.cross(qi));if(c<0||l+c>a)return null;const u=-o*qi.dot(ll);return u<0?null:this.at(u/a,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}}class Ee{constructor(t,e,n,s,r,a,o,l,c,u,h,f,p,_,x,m){Ee.prototype.isMatrix4=!0,this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,a,o,l,c,u,h,f,p,_,x,m)}set(t,e,n,s,r,a,o,l,c,u,h,f,p,_,x,m){const d=this.elements;return d[0]=t,d[4]=e,d[8]=n,d[12]=s,d[1]=r,d[5]=a,d[9]=o,d[13]=l,d[2]=c,d[6]=u,d[10]=h,d[14]=f,d[3]=p,d[7]=_,d[11]=x,d[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new Ee().fromArray(this.elements)}copy(t){const e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){const e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){const e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){const e=this.elements,n=t.elements,s=1/Ks.setFromMatrixColumn(t,0).length(),r=1/Ks.setFromMatrixColumn(t,1).length(),a=1/Ks.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*a,e[9]=n[9]*a,e[10]=n[10]*a,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){const e=this.elements,n=t.x,s=t.y,r=t.z,a=Math.cos(n),o=Math.sin(n),l=Math.cos(s),c=Math.sin(s),u=Math.cos(r),h=Math.sin(r);if(t.order==="XYZ"){const f=a*u,p=a*h,_=o*u,x=o*h;e[0]=l*u,e[4]=-l*h,e[8]=c,e[1]=p+_*c,e[5]=f-x*c,e[9]=-o*l,e[2]=x-f*c,e[6]=_+p*c,e[10]=a*l}else if(t.order==="YXZ"){const f=l*u,p=l*h,_=c*u,x=c*h;e[0]=f+x*o,e[4]=_*o-p,e[8]=a*c,e[1]=a*h,e[5]=a*u,e[9]=-o,e[2]=p*o-_,e[6]=x+f*o,e[10]=a*l}else if(t.order==="ZXY"){const f=l*u,p=l*h,_=c*u,x=c*h;e[0]=f-x*o,e[4]=-a*h,e[8]=_+p*o,e[1]=p+_*o,e[5]=a*u,e[9]=x-f*o,e[2]=-a*c,e[6]=o,e[10]=a*l}else if(t.order==="ZYX"){const f=a*u,p=a*h,_=o*u,x=o*h;e[0]=l*u,e[4]=_*c-p,e[8]=f*c+x,e[1]=l*h,e[5]=x*c+f,e[9]=p*c-_,e[2]=-c,e[6]=o*l,e[10]=a*l}else if(t.order==="YZX"){const f=a*l,p=a*c,_=o*l,x=o*c;e[0]=l*u,e[4]=x-f*h,e[8]=_*h+p,e[1]=h,e[5]=a*u,e[9]=-o*u,e[2]=-c*u,e[6]=p*h+_,e[10]=f-x*h}else if(t.order==="XZY"){const f=a*l,p=a*c,_=o*l,x=o*c;e[0]=l*u,e[4]=-h,e[8]=c*u,e[1]=f*h+x,e[5]=a*u,e[9]=p*h-_,e[2]=_*h-p,e[6]=o*u,e[10]=x*h+f}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(Qm,t,tg)}lookAt(t,e,n){const s=this.elements;return Nn.subVectors(t,e),Nn.lengthSq()===0&&(Nn.z=1),Nn.normalize(),$i.crossVectors(n,Nn),$i.lengthSq()===0&&(Math.abs(n.z)===1?Nn.x+=1e-4:Nn.z+=1e-4,Nn.normalize(),$i.crossVectors(n,Nn)),$i.normalize(),Ia.crossVectors(Nn,$i),s[0]=$i.x,s[4]=Ia.x,s[8]=Nn.x,s[1]=$i.y,s[5]=Ia.y,s[9]=Nn.y,s[2]=$i.z,s[6]=Ia.z,s[10]=Nn.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){const n=t.elements,s=e.elements,r=this.elements,a=n[0],o=n[4],l=n[8],c=n[12],u=n[1],h=n[5],f=n[9],p=n[13],_=n[2],x=n[6],m=n[10],d=n[14],T=n[3],w=n[7],S=n[11],L=n[15],R=s[0],U=s[4],F=s[8],b=s[12],E=s[1],C=s[5],z=s[9],H=s[13],Y=s[2],W=s[6],$=s[10],q=s[14],J=s[3],ot=s[7],lt=s[11],vt=s[15];return r[0]=a*R+o*E+l*Y+c*J,r[4]=a*U+o*C+l*W+c*ot,r[8]=a*F+o*z+l*$+c*lt,r[12]=a*b+o*H+l*q+c*vt,r[1]=u*R+h*E+f*Y+p*J,r[5]=u*U+h*C+f*W+p*ot,r[9]=u*F+h*z+f*$+p*lt,r[13]=u*b+h*H+f*q+p*vt,r[2]=_*R+x*E+m*Y+d*J,r[6]=_*U+x*C+m*W+d*ot,r[10]=_*F+x*z+m*$+d*lt,r[14]=_*b+x*H+m*q+d*vt,r[3]=T*R+w*E+S*Y+L*J,r[7]=T*U+w*C+S*W+L*ot,r[11]=T*F+w*z+S*$+L*lt,r[15]=T*b+w*H+S*q+L*vt,this}multiplyScalar(t){const e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){const t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],a=t[1],o=t[5],l=t[9],c=t[13],u=t[2],h=t[6],f=t[10],p=t[14],_=t[3],x=t[7],m=t[11],d=t[15];return _*(+r*l*h-s*c*h-r*o*f+n*c*f+s*o*p-n*l*p)+x*(+e*l*p-e*c*f+r*a*f-s*a*p+s*c*u-r*l*u)+m*(+e*c*h-e*o*p-r*a*h+n*a*p+r*o*u-n*c*u)+d*(-s*o*u-e*l*h+e*o*f+s*a*h-n*a*f+n*l*u)}transpose(){const t=this.elements;let e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){const s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){const t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],a=t[4],o=t[5],l=t[6],c=t[7],u=t[8],h=t[9],f=t[10],p=t[11],_=t[12],x=t[13],m=t[14],d=t[15],T=h*m*c-x*f*c+x*l*p-o*m*p-h*l*d+o*f*d,w=_*f*c-u*m*c-_*l*p+a*m*p+u*l*d-a*f*d,S=u*x*c-_*h*c+_*o*p-a*x*p-u*o*d+a*h*d,L=_*h*l-u*x*l-_*o*f+a*x*f+u*o*m-a*h*m,R=e*T+n*w+s*S+r*L;if(R===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);const U=1/R;return t[0]=T*U,t[1]=(x*f*r-h*m*r-x*s*p+n*m*p+h*s*d-n*f*d)*U,t[2]=(o*m*r-x*l*r+x*s*c-n*m*c-o*s*d+n*l*d)*U,t[3]=(h*l*r-o*f*r-h*s*c+n*f*c+o*s*p-n*l*p)*U,t[4]=w*U,t[5]=(u*m*r-_*f*r+_*s*p-e*m*p-u*s*d+e*f*d)*U,t[6]=(_*l*r-a*m*r-_*s*c+e*m*c+a*s*d-e*l*d)*U,t[7]=(a*f*r-u*l*r+u*s*c-e*f*c-a*s*p+e*l*p)*U,t[8]=S*U,t[9]=(_*h*r-u*x*r-_*n*p+e*x*p+u*n*d-e*h*d)*U,t[10]=(a*x*r-_*o*r+_*n*c-e*x*c-a*n*d+e*o*d)*U,t[11]=(u*o*r-a*h*r-u*n*c+e*h*c+a*n*p-e*o*p)*U,t[12]=L*U,t[13]=(u*x*s-_*h*s+_*n*f-e*x*f-u*n*m+e*h*m)*U,t[14]=(_*o*s-a*x*s-_*n*l+e*x*l+a*n*m-e*o*m)*U,t[15]=(a*h*s-u*o*s+u*n*l-e*h*l-a*n*f+e*o*f)*U,this}scale(t){const e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){const t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){const e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){const e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){const e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){const n=Math.cos(e),s=Math.sin(e),r=1-n,a=t.x,o=t.y,l=t.z,c=r*a,u=r*o;return this.set(c*a+n,c*o-s*l,c*l+s*o,0,c*o+s*l,u*o+n,u*l-s*a,0,c*l-s*o,u*l+s*a,r*l*l+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,a){return this.set(1,n,r,0,t,1,a,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){const s=this.elements,r=e._x,a=e._y,o=e._z,l=e._w,c=r+r,u=a+a,h=o+o,f=r*c,p=r*u,_=r*h,x=a*u,m=a*h,d=o*h,T=l*c,w=l*u,S=l*h,L=n.x,R=n.y,U=n.z;return s[0]=(1-(x+d))*L,s[1]=(p+S)*L,s[2]=(_-w)*L,s[3]=0,s[4]=(p-S)*R,s[5]=(1-(f+d))*R,s[6]=(m+T)*R,s[7]=0,s[8]=(_+w)*U,s[9]=(m-T)*U,s[10]=(1-(f+x))*U,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){const s=this.elements;let r=Ks.set(s[0],s[1],s[2]).length();const a=Ks.set(s[4],s[5],s[6]).length(),o=Ks.set(s[8],s[9],s[10]).length();this.determinant()<0&&(r=-r),t.x=s[12],t.y=s[13],t.z=s[14],ni.copy(this);const c=1/r,u=1/a,h=1/o;return ni.elements[0]*=c,ni.elements[1]*=c,ni.elements[2]*=c,ni.elements[4]*=u,ni.elements[5]*=u,ni.elements[6]*=u,ni.elements[8]*=h,ni.elements[9]*=h,ni.elements[10]*=h,e.setFromRotationMatrix(ni),n.x=r,n.y=a,n.z=o,this}makePerspective(t,e,n,s,r,a,o=Mi,l=!1){const c=this.elements,u=2*r/(e-t),h=2*r/(n-s),f=(e+t)/(e-t),p=(n+s)/(n-s);let _,x;if(l)_=r/(a-r),x=a*r/(a-r);else if(o===Mi)_=-(a+r)/(a-r),x=-2*a*r/(a-r);else if(o===Mo)_=-a/(a-r),x=-a*r/(a-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+o);return c[0]=u,c[4]=0,c[8]=f,c[12]=0,c[1]=0,c[5]=h,c[9]=p,c[13]=0,c[2]=0,c[6]=0,c[10]=_,c[14]=x,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(t,e,n,s,r,a,o=Mi,l=!1){const c=this.elements,u=2/(e-t),h=2/(n-s),f=-(e+t)/(e-t),p=-(n+s)/(n-s);let _,x;if(l)_=1/(a-r),x=a/(a-r);else if(o===Mi)_=-2/(a-r),x=-(a+r)/(a-r);else if(o===Mo)_=-1/(a-r),x=-r/(a-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+o);return c[0]=u,c[4]=0,c[8]=0,c[12]=f,c[1]=0,c[5]=h,c[9]=0,c[13]=p,c[2]=0,c[6]=0,c[10]=_,c[14]=x,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(t){const e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){const n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}}const Ks=new V,ni=new Ee,Qm=new V(0,0,0),tg=new V(1,1,1),$i=new V,Ia=new V,Nn=new V,ah=new Ee,oh=new Ar;class Ei{constructor(t=0,e=0,n=0,s=Ei.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){const s=t.elements,r=s[0],a=s[4],o=s[8],l=s[1],c=s[5],u=s[9],h=s[2],f=s[6],p=s[10];switch(e){case"XYZ":this._y=Math.asin(ue(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(-u,p),this._z=Math.atan2(-a,r)):(this._x=Math.atan2(f,c),this._z=0);break;case"YXZ":this._x=Math.asin(-ue(u,-1,1)),Math.abs(u)<.9999999?(this._y=Math.atan2(o,p),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-h,r),this._z=0);break;case"ZXY":this._x=Math.asin(ue(f,-1,1)),Math.abs(f)<.9999999?(this._y=Math.atan2(-h,p),this._z=Math.atan2(-a,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-ue(h,-1,1)),Math.abs(h)<.9999999?(this._x=Math.atan2(f,p),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-a,c));break;case"YZX":this._z=Math.asin(ue(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-u,c),this._y=Math.atan2(-h,r)):(this._x=0,this._y=Math.atan2(o,p));break;case"XZY":this._z=Math.asin(-ue(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(f,c),this._y=Math.atan2(o,r)):(this._x=Math.atan2(-u,p),this._y=0);break;default:console.warn("THREE.Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return ah.makeRotationFromQuaternion(t),this.setFromRotationMatrix(ah,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return oh.setFromEuler(this),this.setFromQuaternion(oh,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}}Ei.DEFAULT_ORDER="XYZ";class iu{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}}let eg=0;const lh=new V,js=new Ar,Ci=new Ee,Na=new V,Hr=new V,ng=new V,ig=new Ar,ch=new V(1,0,0),uh=new V(0,1,0),hh=new V(0,0,1),fh={type:"added"},sg={type:"removed"},Zs={type:"childadded",child:null},cl={type:"childremoved",child:null};class $e extends wr{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:eg++}),this.uuid=ss(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=$e.DEFAULT_UP.clone();const t=new V,e=new Ei,n=new Ar,s=new V(1,1,1);function r(){n.setFromEuler(e,!1)}function a(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(a),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new Ee},normalMatrix:{value:new ne}}),this.matrix=new Ee,this.matrixWorld=new Ee,this.matrixAutoUpdate=$e.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=$e.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new iu,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.userData={}}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return js.setFromAxisAngle(t,e),this.quaternion.multiply(js),this}rotateOnWorldAxis(t,e){return js.setFromAxisAngle(t,e),this.quaternion.premultiply(js),this}rotateX(t){return this.rotateOnAxis(ch,t)}rotateY(t){return this.rotateOnAxis(uh,t)}rotateZ(t){return this.rotateOnAxis(hh,t)}translateOnAxis(t,e){return lh.copy(t).applyQuaternion(this.quaternion),this.position.add(lh.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(ch,t)}translateY(t){return this.translateOnAxis(uh,t)}translateZ(t){return this.translateOnAxis(hh,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(Ci.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?Na.copy(t):Na.set(t,e,n);const s=this.parent;this.updateWorldMatrix(!0,!1),Hr.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?Ci.lookAt(Hr,Na,this.up):Ci.lookAt(Na,Hr,this.up),this.quaternion.setFromRotationMatrix(Ci),s&&(Ci.extractRotation(s.matrixWorld),js.setFromRotationMatrix(Ci),this.quaternion.premultiply(js.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(console.error("THREE.Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(fh),Zs.child=t,this.dispatchEvent(Zs),Zs.child=null):console.error("THREE.Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}const e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(sg),cl.child=t,this.dispatchEvent(cl),cl.child=null),this}removeFromParent(){const t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),Ci.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),Ci.multiply(t.parent.matrixWorld)),t.applyMatrix4(Ci),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(fh),Zs.child=t,this.dispatchEvent(Zs),Zs.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){const a=this.children[n].getObjectByProperty(t,e);if(a!==void 0)return a}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);const s=this.children;for(let r=0,a=s.length;r<a;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Hr,t,ng),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Hr,ig,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);const e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}traverse(t){t(this);const e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);const e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){const e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale),this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);const e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e){const n=this.parent;if(t===!0&&n!==null&&n.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),e===!0){const s=this.children;for(let r=0,a=s.length;r<a;r++)s[r].updateWorldMatrix(!1,!0)}}toJSON(t){const e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});const s={};s.uuid=this.uuid,s.type=this.type,this.name!==""&&(s.name=this.name),this.castShadow===!0&&(s.castShadow=!0),this.receiveShadow===!0&&(s.receiveShadow=!0),this.visible===!1&&(s.visible=!1),this.frustumCulled===!1&&(s.frustumCulled=!1),this.renderOrder!==0&&(s.renderOrder=this.renderOrder),Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.matrixAutoUpdate===!1&&(s.matrixAutoUpdate=!1),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(o=>({...o,boundingBox:o.boundingBox?o.boundingBox.toJSON():void 0,boundingSphere:o.boundingSphere?o.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(o=>({...o})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(t),s.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(o,l){return o[l.uuid]===void 0&&(o[l.uuid]=l.toJSON(t)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);const o=this.geometry.parameters;if(o!==void 0&&o.shapes!==void 0){const l=o.shapes;if(Array.isArray(l))for(let c=0,u=l.length;c<u;c++){const h=l[c];r(t.shapes,h)}else r(t.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){const o=[];for(let l=0,c=this.material.length;l<c;l++)o.push(r(t.materials,this.material[l]));s.material=o}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let o=0;o<this.children.length;o++)s.children.push(this.children[o].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let o=0;o<this.animations.length;o++){const l=this.animations[o];s.animations.push(r(t.animations,l))}}if(e){const o=a(t.geometries),l=a(t.materials),c=a(t.textures),u=a(t.images),h=a(t.shapes),f=a(t.skeletons),p=a(t.animations),_=a(t.nodes);o.length>0&&(n.geometries=o),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),u.length>0&&(n.images=u),h.length>0&&(n.shapes=h),f.length>0&&(n.skeletons=f),p.length>0&&(n.animations=p),_.length>0&&(n.nodes=_)}return n.object=s,n;function a(o){const l=[];for(const c in o){const u=o[c];delete u.metadata,l.push(u)}return l}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){const s=t.children[n];this.add(s.clone())}return this}}$e.DEFAULT_UP=new V(0,1,0);$e.DEFAULT_MATRIX_AUTO_UPDATE=!0;$e.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;const ii=new V,Pi=new V,ul=new V,Di=new V,Js=new V,Qs=new V,dh=new V,hl=new V,fl=new V,dl=new V,pl=new Ge,ml=new Ge,gl=new Ge;class Bn{constructor(t=new V,e=new V,n=new V){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),ii.subVectors(t,e),s.cross(ii);const r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){ii.subVectors(s,e),Pi.subVectors(n,e),ul.subVectors(t,e);const a=ii.dot(ii),o=ii.dot(Pi),l=ii.dot(ul),c=Pi.dot(Pi),u=Pi.dot(ul),h=a*c-o*o;if(h===0)return r.set(0,0,0),null;const f=1/h,p=(c*l-o*u)*f,_=(a*u-o*l)*f;return r.set(1-p-_,_,p)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,Di)===null?!1:Di.x>=0&&Di.y>=0&&Di.x+Di.y<=1}static getInterpolation(t,e,n,s,r,a,o,l){return this.getBarycoord(t,e,n,s,Di)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,Di.x),l.addScaledVector(a,Di.y),l.addScaledVector(o,Di.z),l)}static getInterpolatedAttribute(t,e,n,s,r,a){return pl.setScalar(0),ml.setScalar(0),gl.setScalar(0),pl.fromBufferAttribute(t,e),ml.fromBufferAttribute(t,n),gl.fromBufferAttribute(t,s),a.setScalar(0),a.addScaledVector(pl,r.x),a.addScaledVector(ml,r.y),a.addScaledVector(gl,r.z),a}static isFrontFacing(t,e,n,s){return ii.subVectors(n,e),Pi.subVectors(t,e),ii.cross(Pi).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return ii.subVectors(this.c,this.b),Pi.subVectors(this.a,this.b),ii.cross(Pi).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return Bn.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return Bn.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return Bn.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return Bn.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return Bn.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){const n=this.a,s=this.b,r=this.c;let a,o;Js.subVectors(s,n),Qs.subVectors(r,n),hl.subVectors(t,n);const l=Js.dot(hl),c=Qs.dot(hl);if(l<=0&&c<=0)return e.copy(n);fl.subVectors(t,s);const u=Js.dot(fl),h=Qs.dot(fl);if(u>=0&&h<=u)return e.copy(s);const f=l*h-u*c;if(f<=0&&l>=0&&u<=0)return a=l/(l-u),e.copy(n).addScaledVector(Js,a);dl.subVectors(t,r);const p=Js.dot(dl),_=Qs.dot(dl);if(_>=0&&p<=_)return e.copy(r);const x=p*c-l*_;if(x<=0&&c>=0&&_<=0)return o=c/(c-_),e.copy(n).addScaledVector(Qs,o);const m=u*_-p*h;if(m<=0&&h-u>=0&&p-_>=0)return dh.subVectors(r,s),o=(h-u)/(h-u+(p-_)),e.copy(s).addScaledVector(dh,o);const d=1/(m+x+f);return a=x*d,o=f*d,e.copy(n).addScaledVector(Js,a).addScaledVector(Qs,o)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}}const Ed={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Ki={h:0,s:0,l:0},Fa={h:0,s:0,l:0};function _l(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}class ae{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){const s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=Kn){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,fe.colorSpaceToWorking(this,e),this}setRGB(t,e,n,s=fe.workingColorSpace){return this.r=t,this.g=e,this.b=n,fe.colorSpaceToWorking(this,s),this}setHSL(t,e,n,s=fe.workingColorSpace){if(t=Gm(t,1),e=ue(e,0,1),n=ue(n,0,1),e===0)this.r=this.g=this.b=n;else{const r=n<=.5?n*(1+e):n+e-n*e,a=2*n-r;this.r=_l(a,r,t+1/3),this.g=_l(a,r,t),this.b=_l(a,r,t-1/3)}return fe.colorSpaceToWorking(this,s),this}setStyle(t,e=Kn){function n(r){r!==void 0&&parseFloat(r)<1&&console.warn("THREE.Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r;const a=s[1],o=s[2];switch(a){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(o))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+)\%\s*,\s*(\d+)\%\s*,\s*(\d+)\%\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(o))return n(r[4]),this.setRGB(Math.min(100,parseInt(r[1],10))/100,Math.min(100,parseInt(r[2],10))/100,Math.min(100,parseInt(r[3],10))/100,e);break;case"hsl":case"hsla":if(r=/^\s*(\d*\.?\d+)\s*,\s*(\d*\.?\d+)\%\s*,\s*(\d*\.?\d+)\%\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(o))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:console.warn("THREE.Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){const r=s[1],a=r.length;if(a===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(a===6)return this.setHex(parseInt(r,16),e);console.warn("THREE.Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=Kn){const n=Ed[t.toLowerCase()];return n!==void 0?this.setHex(n,e):console.warn("THREE.Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=Ii(t.r),this.g=Ii(t.g),this.b=Ii(t.b),this}copyLinearToSRGB(t){return this.r=gr(t.r),this.g=gr(t.g),this.b=gr(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=Kn){return fe.workingToColorSpace(mn.copy(this),t),Math.round(ue(mn.r*255,0,255))*65536+Math.round(ue(mn.g*255,0,255))*256+Math.round(ue(mn.b*255,0,255))}getHexString(t=Kn){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=fe.workingColorSpace){fe.workingToColorSpace(mn.copy(this),e);const n=mn.r,s=mn.g,r=mn.b,a=Math.max(n,s,r),o=Math.min(n,s,r);let l,c;const u=(o+a)/2;if(o===a)l=0,c=0;else{const h=a-o;switch(c=u<=.5?h/(a+o):h/(2-a-o),a){case n:l=(s-r)/h+(s<r?6:0);break;case s:l=(r-n)/h+2;break;case r:l=(n-s)/h+4;break}l/=6}return t.h=l,t.s=c,t.l=u,t}getRGB(t,e=fe.workingColorSpace){return fe.workingToColorSpace(mn.copy(this),e),t.r=mn.r,t.g=mn.g,t.b=mn.b,t}getStyle(t=Kn){fe.workingToColorSpace(mn.copy(this),t);const e=mn.r,n=mn.g,s=mn.b;return t!==Kn?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(Ki),this.setHSL(Ki.h+t,Ki.s+e,Ki.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(Ki),t.getHSL(Fa);const n=Qo(Ki.h,Fa.h,e),s=Qo(Ki.s,Fa.s,e),r=Qo(Ki.l,Fa.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){const e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}}const mn=new ae;ae.NAMES=Ed;let rg=0;class Us extends wr{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:rg++}),this.uuid=ss(),this.name="",this.type="Material",this.blending=mr,this.side=Oi,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=Hl,this.blendDst=Vl,this.blendEquation=ys,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new ae(0,0,0),this.blendAlpha=0,this.depthFunc=vr,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=th,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=Ws,this.stencilZFail=Ws,this.stencilZPass=Ws,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(const e in t){const n=t[e];if(n===void 0){console.warn(`THREE.Material: parameter '${e}' has value of undefined.`);continue}const s=this[e];if(s===void 0){console.warn(`THREE.Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){const e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});const n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,this.name!==""&&(n.name=this.name),this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&this.emissiveIntensity!==1&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessRange!==void 0&&(n.iridescenceThicknessRange=this.iridescenceThicknessRange),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&this.attenuationDistance!==1/0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.shadowSide!==null&&(n.shadowSide=this.shadowSide),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),this.blending!==mr&&(n.blending=this.blending),this.side!==Oi&&(n.side=this.side),this.vertexColors===!0&&(n.vertexColors=!0),this.opacity<1&&(n.opacity=this.opacity),this.transparent===!0&&(n.transparent=!0),this.blendSrc!==Hl&&(n.blendSrc=this.blendSrc),this.blendDst!==Vl&&(n.blendDst=this.blendDst),this.blendEquation!==ys&&(n.blendEquation=this.blendEquation),this.blendSrcAlpha!==null&&(n.blendSrcAlpha=this.blendSrcAlpha),this.blendDstAlpha!==null&&(n.blendDstAlpha=this.blendDstAlpha),this.blendEquationAlpha!==null&&(n.blendEquationAlpha=this.blendEquationAlpha),this.blendColor&&this.blendColor.isColor&&(n.blendColor=this.blendColor.getHex()),this.blendAlpha!==0&&(n.blendAlpha=this.blendAlpha),this.depthFunc!==vr&&(n.depthFunc=this.depthFunc),this.depthTest===!1&&(n.depthTest=this.depthTest),this.depthWrite===!1&&(n.depthWrite=this.depthWrite),this.colorWrite===!1&&(n.colorWrite=this.colorWrite),this.stencilWriteMask!==255&&(n.stencilWriteMask=this.stencilWriteMask),this.stencilFunc!==th&&(n.stencilFunc=this.stencilFunc),this.stencilRef!==0&&(n.stencilRef=this.stencilRef),this.stencilFuncMask!==255&&(n.stencilFuncMask=this.stencilFuncMask),this.stencilFail!==Ws&&(n.stencilFail=this.stencilFail),this.stencilZFail!==Ws&&(n.stencilZFail=this.stencilZFail),this.stencilZPass!==Ws&&(n.stencilZPass=this.stencilZPass),this.stencilWrite===!0&&(n.stencilWrite=this.stencilWrite),this.rotation!==void 0&&this.rotation!==0&&(n.rotation=this.rotation),this.polygonOffset===!0&&(n.polygonOffset=!0),this.polygonOffsetFactor!==0&&(n.polygonOffsetFactor=this.polygonOffsetFactor),this.polygonOffsetUnits!==0&&(n.polygonOffsetUnits=this.polygonOffsetUnits),this.linewidth!==void 0&&this.linewidth!==1&&(n.linewidth=this.linewidth),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.dithering===!0&&(n.dithering=!0),this.alphaTest>0&&(n.alphaTest=this.alphaTest),this.alphaHash===!0&&(n.alphaHash=!0),this.alphaToCoverage===!0&&(n.alphaToCoverage=!0),this.premultipliedAlpha===!0&&(n.premultipliedAlpha=!0),this.forceSinglePass===!0&&(n.forceSinglePass=!0),this.wireframe===!0&&(n.wireframe=!0),this.wireframeLinewidth>1&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!=="round"&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!=="round"&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading===!0&&(n.flatShading=!0),this.visible===!1&&(n.visible=!1),this.toneMapped===!1&&(n.toneMapped=!1),this.fog===!1&&(n.fog=!1),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){const a=[];for(const o in r){const l=r[o];delete l.metadata,a.push(l)}return a}if(e){const r=s(t.textures),a=s(t.images);r.length>0&&(n.textures=r),a.length>0&&(n.images=a)}return n}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;const e=t.clippingPlanes;let n=null;if(e!==null){const s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}}class bd extends Us{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new ae(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Ei,this.combine=qc,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}}const Ye=new V,Oa=new ie;let ag=0;class un{constructor(t,e,n=!1){if(Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:ag++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=Ac,this.updateRanges=[],this.gpuType=xi,this.version=0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)Oa.fromBufferAttribute(this,e),Oa.applyMatrix3(t),this.setXY(e,Oa.x,Oa.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)Ye.fromBufferAttribute(this,e),Ye.applyMatrix3(t),this.setXYZ(e,Ye.x,Ye.y,Ye.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)Ye.fromBufferAttribute(this,e),Ye.applyMatrix4(t),this.setXYZ(e,Ye.x,Ye.y,Ye.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)Ye.fromBufferAttribute(this,e),Ye.applyNormalMatrix(t),this.setXYZ(e,Ye.x,Ye.y,Ye.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)Ye.fromBufferAttribute(this,e),Ye.transformDirection(t),this.setXYZ(e,Ye.x,Ye.y,Ye.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=vi(n,this.array)),n}setComponent(t,e,n){return this.normalized&&(n=Ae(n,this.array)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=vi(e,this.array)),e}setX(t,e){return this.normalized&&(e=Ae(e,this.array)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=vi(e,this.array)),e}setY(t,e){return this.normalized&&(e=Ae(e,this.array)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=vi(e,this.array)),e}setZ(t,e){return this.normalized&&(e=Ae(e,this.array)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=vi(e,this.array)),e}setW(t,e){return this.normalized&&(e=Ae(e,this.array)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=Ae(e,this.array),n=Ae(n,this.array)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=Ae(e,this.array),n=Ae(n,this.array),s=Ae(s,this.array)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=Ae(e,this.array),n=Ae(n,this.array),s=Ae(s,this.array),r=Ae(r,this.array)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){const t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return this.name!==""&&(t.name=this.name),this.usage!==Ac&&(t.usage=this.usage),t}}class Td extends un{constructor(t,e,n){super(new Uint16Array(t),e,n)}}class wd extends un{constructor(t,e,n){super(new Uint32Array(t),e,n)}}class We extends un{constructor(t,e,n){super(new Float32Array(t),e,n)}}let og=0;const Yn=new Ee,vl=new $e,tr=new V,Fn=new Ls,Vr=new Ls,cn=new V;class Je extends wr{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:og++}),this.uuid=ss(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={}}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(Sd(t)?wd:Td)(t,1):this.index=t,this}setIndirect(t){return this.indirect=t,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){const e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);const n=this.attributes.normal;if(n!==void 0){const r=new ne().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}const s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this}applyQuaternion(t){return Yn.makeRotationFromQuaternion(t),this.applyMatrix4(Yn),this}rotateX(t){return Yn.makeRotationX(t),this.applyMatrix4(Yn),this}rotateY(t){return Yn.makeRotationY(t),this.applyMatrix4(Yn),this}rotateZ(t){return Yn.makeRotationZ(t),this.applyMatrix4(Yn),this}translate(t,e,n){return Yn.makeTranslation(t,e,n),this.applyMatrix4(Yn),this}scale(t,e,n){return Yn.makeScale(t,e,n),this.applyMatrix4(Yn),this}lookAt(t){return vl.lookAt(t),vl.updateMatrix(),this.applyMatrix4(vl.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(tr).negate(),this.translate(tr.x,tr.y,tr.z),this}setFromPoints(t){const e=this.getAttribute("position");if(e===void 0){const n=[];for(let s=0,r=t.length;s<r;s++){const a=t[s];n.push(a.x,a.y,a.z||0)}this.setAttribute("position",new We(n,3))}else{const n=Math.min(t.length,e.count);for(let s=0;s<n;s++){const r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&console.warn("THREE.BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Ls);const t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){console.error("THREE.BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new V(-1/0,-1/0,-1/0),new V(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){const r=e[n];Fn.setFromBufferAttribute(r),this.morphTargetsRelative?(cn.addVectors(this.boundingBox.min,Fn.min),this.boundingBox.expandByPoint(cn),cn.addVectors(this.boundingBox.max,Fn.max),this.boundingBox.expandByPoint(cn)):(this.boundingBox.expandByPoint(Fn.min),this.boundingBox.expandByPoint(Fn.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&console.error('THREE.BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Rr);const t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){console.error("THREE.BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new V,1/0);return}if(t){const n=this.boundingSphere.center;if(Fn.setFromBufferAttribute(t),e)for(let r=0,a=e.length;r<a;r++){const o=e[r];Vr.setFromBufferAttribute(o),this.morphTargetsRelative?(cn.addVectors(Fn.min,Vr.min),Fn.expandByPoint(cn),cn.addVectors(Fn.max,Vr.max),Fn.expandByPoint(cn)):(Fn.expandByPoint(Vr.min),Fn.expandByPoint(Vr.max))}Fn.getCenter(n);let s=0;for(let r=0,a=t.count;r<a;r++)cn.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(cn));if(e)for(let r=0,a=e.length;r<a;r++){const o=e[r],l=this.morphTargetsRelative;for(let c=0,u=o.count;c<u;c++)cn.fromBufferAttribute(o,c),l&&(tr.fromBufferAttribute(t,c),cn.add(tr)),s=Math.max(s,n.distanceToSquared(cn))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&console.error('THREE.BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){const t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){console.error("THREE.BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}const n=e.position,s=e.normal,r=e.uv;this.hasAttribute("tangent")===!1&&this.setAttribute("tangent",new un(new Float32Array(4*n.count),4));const a=this.getAttribute("tangent"),o=[],l=[];for(let F=0;F<n.count;F++)o[F]=new V,l[F]=new V;const c=new V,u=new V,h=new V,f=new ie,p=new ie,_=new ie,x=new V,m=new V;function d(F,b,E){c.fromBufferAttribute(n,F),u.fromBufferAttribute(n,b),h.fromBufferAttribute(n,E),f.fromBufferAttribute(r,F),p.fromBufferAttribute(r,b),_.fromBufferAttribute(r,E),u.sub(c),h.sub(c),p.sub(f),_.sub(f);const C=1/(p.x*_.y-_.x*p.y);isFinite(C)&&(x.copy(u).multiplyScalar(_.y).addScaledVector(h,-p.y).multiplyScalar(C),m.copy(h).multiplyScalar(p.x).addScaledVector(u,-_.x).multiplyScalar(C),o[F].add(x),o[b].add(x),o[E].add(x),l[F].add(m),l[b].add(m),l[E].add(m))}let T=this.groups;T.length===0&&(T=[{start:0,count:t.count}]);for(let F=0,b=T.length;F<b;++F){const E=T[F],C=E.start,z=E.count;for(let H=C,Y=C+z;H<Y;H+=3)d(t.getX(H+0),t.getX(H+1),t.getX(H+2))}const w=new V,S=new V,L=new V,R=new V;function U(F){L.fromBufferAttribute(s,F),R.copy(L);const b=o[F];w.copy(b),w.sub(L.multiplyScalar(L.dot(b))).normalize(),S.crossVectors(R,b);const C=S.dot(l[F])<0?-1:1;a.setXYZW(F,w.x,w.y,w.z,C)}for(let F=0,b=T.length;F<b;++F){const E=T[F],C=E.start,z=E.count;for(let H=C,Y=C+z;H<Y;H+=3)U(t.getX(H+0)),U(t.getX(H+1)),U(t.getX(H+2))}}computeVertexNormals(){const t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0)n=new un(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let f=0,p=n.count;f<p;f++)n.setXYZ(f,0,0,0);const s=new V,r=new V,a=new V,o=new V,l=new V,c=new V,u=new V,h=new V;if(t)for(let f=0,p=t.count;f<p;f+=3){const _=t.getX(f+0),x=t.getX(f+1),m=t.getX(f+2);s.fromBufferAttribute(e,_),r.fromBufferAttribute(e,x),a.fromBufferAttribute(e,m),u.subVectors(a,r),h.subVectors(s,r),u.cross(h),o.fromBufferAttribute(n,_),l.fromBufferAttribute(n,x),c.fromBufferAttribute(n,m),o.add(u),l.add(u),c.add(u),n.setXYZ(_,o.x,o.y,o.z),n.setXYZ(x,l.x,l.y,l.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let f=0,p=e.count;f<p;f+=3)s.fromBufferAttribute(e,f+0),r.fromBufferAttribute(e,f+1),a.fromBufferAttribute(e,f+2),u.subVectors(a,r),h.subVectors(s,r),u.cross(h),n.setXYZ(f+0,u.x,u.y,u.z),n.setXYZ(f+1,u.x,u.y,u.z),n.setXYZ(f+2,u.x,u.y,u.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){const t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)cn.fromBufferAttribute(t,e),cn.normalize(),t.setXYZ(e,cn.x,cn.y,cn.z)}toNonIndexed(){function t(o,l){const c=o.array,u=o.itemSize,h=o.normalized,f=new c.constructor(l.length*u);let p=0,_=0;for(let x=0,m=l.length;x<m;x++){o.isInterleavedBufferAttribute?p=l[x]*o.data.stride+o.offset:p=l[x]*u;for(let d=0;d<u;d++)f[_++]=c[p++]}return new un(f,u,h)}if(this.index===null)return console.warn("THREE.BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;const e=new Je,n=this.index.array,s=this.attributes;for(const o in s){const l=s[o],c=t(l,n);e.setAttribute(o,c)}const r=this.morphAttributes;for(const o in r){const l=[],c=r[o];for(let u=0,h=c.length;u<h;u++){const f=c[u],p=t(f,n);l.push(p)}e.morphAttributes[o]=l}e.morphTargetsRelative=this.morphTargetsRelative;const a=this.groups;for(let o=0,l=a.length;o<l;o++){const c=a[o];e.addGroup(c.start,c.count,c.materialIndex)}return e}toJSON(){const t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.type,this.name!==""&&(t.name=this.name),Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0){const l=this.parameters;for(const c in l)l[c]!==void 0&&(t[c]=l[c]);return t}t.data={attributes:{}};const e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});const n=this.attributes;for(const l in n){const c=n[l];t.data.attributes[l]=c.toJSON(t.data)}const s={};let r=!1;for(const l in this.morphAttributes){const c=this.morphAttributes[l],u=[];for(let h=0,f=c.length;h<f;h++){const p=c[h];u.push(p.toJSON(t.data))}u.length>0&&(s[l]=u,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);const a=this.groups;a.length>0&&(t.data.groups=JSON.parse(JSON.stringify(a)));const o=this.boundingSphere;return o!==null&&(t.data.boundingSphere=o.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;const e={};this.name=t.name;const n=t.index;n!==null&&this.setIndex(n.clone());const s=t.attributes;for(const c in s){const u=s[c];this.setAttribute(c,u.clone(e))}const r=t.morphAttributes;for(const c in r){const u=[],h=r[c];for(let f=0,p=h.length;f<p;f++)u.push(h[f].clone(e));this.morphAttributes[c]=u}this.morphTargetsRelative=t.morphTargetsRelative;const a=t.groups;for(let c=0,u=a.length;c<u;c++){const h=a[c];this.addGroup(h.start,h.count,h.materialIndex)}const o=t.boundingBox;o!==null&&(this.boundingBox=o.clone());const l=t.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this}dispose(){this.dispatchEvent({type:"dispose"})}}const ph=new Ee,ms=new nu,Ba=new Rr,mh=new V,za=new V,ka=new V,Ha=new V,xl=new V,Va=new V,gh=new V,Ga=new V;class zn extends $e{constructor(t=new Je,e=new bd){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0&&(this.morphTargetInfluences=t.morphTargetInfluences.slice()),t.morphTargetDictionary!==void 0&&(this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary)),this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){const e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){const s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,a=s.length;r<a;r++){const o=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[o]=r}}}}getVertexPosition(t,e){const n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,a=n.morphTargetsRelative;e.fromBufferAttribute(s,t);const o=this.morphTargetInfluences;if(r&&o){Va.set(0,0,0);for(let l=0,c=r.length;l<c;l++){const u=o[l],h=r[l];u!==0&&(xl.fromBufferAttribute(h,t),a?Va.addScaledVector(xl,u):Va.addScaledVector(xl.sub(e),u))}e.add(Va)}return e}raycast(t,e){const n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),Ba.copy(n.boundingSphere),Ba.applyMatrix4(r),ms.copy(t.ray).recast(t.near),!(Ba.containsPoint(ms.origin)===!1&&(ms.intersectSphere(Ba,mh)===null||ms.origin.distanceToSquared(mh)>(t.far-t.near)**2))&&(ph.copy(r).invert(),ms.copy(t.ray).applyMatrix4(ph),!(n.boundingBox!==null&&ms.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,ms)))}_computeIntersections(t,e,n){let s;const r=this.geometry,a=this.material,o=r.index,l=r.attributes.position,c=r.attributes.uv,u=r.attributes.uv1,h=r.attributes.normal,f=r.groups,p=r.drawRange;if(o!==null)if(Array.isArray(a))for(let _=0,x=f.length;_<x;_++){const m=f[_],d=a[m.materialIndex],T=Math.max(m.start,p.start),w=Math.min(o.count,Math.min(m.start+m.count,p.start+p.count));for(let S=T,L=w;S<L;S+=3){const R=o.getX(S),U=o.getX(S+1),F=o.getX(S+2);s=Wa(this,d,t,n,c,u,h,R,U,F),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{const _=Math.max(0,p.start),x=Math.min(o.count,p.start+p.count);for(let m=_,d=x;m<d;m+=3){const T=o.getX(m),w=o.getX(m+1),S=o.getX(m+2);s=Wa(this,a,t,n,c,u,h,T,w,S),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}else if(l!==void 0)if(Array.isArray(a))for(let _=0,x=f.length;_<x;_++){const m=f[_],d=a[m.materialIndex],T=Math.max(m.start,p.start),w=Math.min(l.count,Math.min(m.start+m.count,p.start+p.count));for(let S=T,L=w;S<L;S+=3){const R=S,U=S+1,F=S+2;s=Wa(this,d,t,n,c,u,h,R,U,F),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{const _=Math.max(0,p.start),x=Math.min(l.count,p.start+p.count);for(let m=_,d=x;m<d;m+=3){const T=m,w=m+1,S=m+2;s=Wa(this,a,t,n,c,u,h,T,w,S),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}}}function lg(i,t,e,n,s,r,a,o){let l;if(t.side===An?l=n.intersectTriangle(a,r,s,!0,o):l=n.intersectTriangle(s,r,a,t.side===Oi,o),l===null)return null;Ga.copy(o),Ga.applyMatrix4(i.matrixWorld);const c=e.ray.origin.distanceTo(Ga);return c<e.near||c>e.far?null:{distance:c,point:Ga.clone(),object:i}}function Wa(i,t,e,n,s,r,a,o,l,c){i.getVertexPosition(o,za),i.getVertexPosition(l,ka),i.getVertexPosition(c,Ha);const u=lg(i,t,e,n,za,ka,Ha,gh);if(u){const h=new V;Bn.getBarycoord(gh,za,ka,Ha,h),s&&(u.uv=Bn.getInterpolatedAttribute(s,o,l,c,h,new ie)),r&&(u.uv1=Bn.getInterpolatedAttribute(r,o,l,c,h,new ie)),a&&(u.normal=Bn.getInterpolatedAttribute(a,o,l,c,h,new V),u.normal.dot(n.direction)>0&&u.normal.multiplyScalar(-1));const f={a:o,b:l,c,normal:new V,materialIndex:0};Bn.getNormal(za,ka,Ha,f.normal),u.face=f,u.barycoord=h}return u}class Ps extends Je{constructor(t=1,e=1,n=1,s=1,r=1,a=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:a};const o=this;s=Math.floor(s),r=Math.floor(r),a=Math.floor(a);const l=[],c=[],u=[],h=[];let f=0,p=0;_("z","y","x",-1,-1,n,e,t,a,r,0),_("z","y","x",1,-1,n,e,-t,a,r,1),_("x","z","y",1,1,t,n,e,s,a,2),_("x","z","y",1,-1,t,n,-e,s,a,3),_("x","y","z",1,-1,t,e,n,s,r,4),_("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new We(c,3)),this.setAttribute("normal",new We(u,3)),this.setAttribute("uv",new We(h,2));function _(x,m,d,T,w,S,L,R,U,F,b){const E=S/U,C=L/F,z=S/2,H=L/2,Y=R/2,W=U+1,$=F+1;let q=0,J=0;const ot=new V;for(let lt=0;lt<$;lt++){const vt=lt*C-H;for(let St=0;St<W;St++){const _t=St*E-z;ot[x]=_t*T,ot[m]=vt*w,ot[d]=Y,c.push(ot.x,ot.y,ot.z),ot[x]=0,ot[m]=0,ot[d]=R>0?1:-1,u.push(ot.x,ot.y,ot.z),h.push(St/U),h.push(1-lt/F),q+=1}}for(let lt=0;lt<F;lt++)for(let vt=0;vt<U;vt++){const St=f+vt+W*lt,_t=f+vt+W*(lt+1),te=f+(vt+1)+W*(lt+1),jt=f+(vt+1)+W*lt;l.push(St,_t,jt),l.push(_t,te,jt),J+=6}o.addGroup(p,J,b),p+=J,f+=q}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new Ps(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}}function Sr(i){const t={};for(const e in i){t[e]={};for(const n in i[e]){const s=i[e][n];s&&(s.isColor||s.isMatrix3||s.isMatrix4||s.isVector2||s.isVector3||s.isVector4||s.isTexture||s.isQuaternion)?s.isRenderTargetTexture?(console.warn("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone():Array.isArray(s)?t[e][n]=s.slice():t[e][n]=s}}return t}function Tn(i){const t={};for(let e=0;e<i.length;e++){const n=Sr(i[e]);for(const s in n)t[s]=n[s]}return t}function cg(i){const t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function Ad(i){const t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:fe.workingColorSpace}const ug={clone:Sr,merge:Tn};var hg=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,fg=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`;class Bi extends Us{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=hg,this.fragmentShader=fg,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=Sr(t.uniforms),this.uniformsGroups=cg(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this}toJSON(t){const e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(const s in this.uniforms){const a=this.uniforms[s].value;a&&a.isTexture?e.uniforms[s]={type:"t",value:a.toJSON(t).uuid}:a&&a.isColor?e.uniforms[s]={type:"c",value:a.getHex()}:a&&a.isVector2?e.uniforms[s]={type:"v2",value:a.toArray()}:a&&a.isVector3?e.uniforms[s]={type:"v3",value:a.toArray()}:a&&a.isVector4?e.uniforms[s]={type:"v4",value:a.toArray()}:a&&a.isMatrix3?e.uniforms[s]={type:"m3",value:a.toArray()}:a&&a.isMatrix4?e.uniforms[s]={type:"m4",value:a.toArray()}:e.uniforms[s]={value:a}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;const n={};for(const s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}}class Rd extends $e{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new Ee,this.projectionMatrix=new Ee,this.projectionMatrixInverse=new Ee,this.coordinateSystem=Mi,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorldInverse.copy(this.matrixWorld).invert()}updateWorldMatrix(t,e){super.updateWorldMatrix(t,e),this.matrixWorldInverse.copy(this.matrixWorld).invert()}clone(){return new this.constructor().copy(this)}}const ji=new V,_h=new ie,vh=new ie;class Pn extends Rd{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){const e=.5*this.getFilmHeight()/t;this.fov=So*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){const t=Math.tan(po*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return So*2*Math.atan(Math.tan(po*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){ji.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(ji.x,ji.y).multiplyScalar(-t/ji.z),ji.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(ji.x,ji.y).multiplyScalar(-t/ji.z)}getViewSize(t,e){return this.getViewBounds(t,_h,vh),e.subVectors(vh,_h)}setViewOffset(t,e,n,s,r,a){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){const t=this.near;let e=t*Math.tan(po*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s;const a=this.view;if(this.view!==null&&this.view.enabled){const l=a.fullWidth,c=a.fullHeight;r+=a.offsetX*s/l,e-=a.offsetY*n/c,s*=a.width/l,n*=a.height/c}const o=this.filmOffset;o!==0&&(r+=t*o/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){const e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}}const er=-90,nr=1;class dg extends $e{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;const s=new Pn(er,nr,t,e);s.layers=this.layers,this.add(s);const r=new Pn(er,nr,t,e);r.layers=this.layers,this.add(r);const a=new Pn(er,nr,t,e);a.layers=this.layers,this.add(a);const o=new Pn(er,nr,t,e);o.layers=this.layers,this.add(o);const l=new Pn(er,nr,t,e);l.layers=this.layers,this.add(l);const c=new Pn(er,nr,t,e);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){const t=this.coordinateSystem,e=this.children.concat(),[n,s,r,a,o,l]=e;for(const c of e)this.remove(c);if(t===Mi)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),a.up.set(0,0,1),a.lookAt(0,-1,0),o.up.set(0,1,0),o.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(t===Mo)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),a.up.set(0,0,-1),a.lookAt(0,-1,0),o.up.set(0,-1,0),o.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(const c of e)this.add(c),c.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();const{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());const[r,a,o,l,c,u]=this.children,h=t.getRenderTarget(),f=t.getActiveCubeFace(),p=t.getActiveMipmapLevel(),_=t.xr.enabled;t.xr.enabled=!1;const x=n.texture.generateMipmaps;n.texture.generateMipmaps=!1,t.setRenderTarget(n,0,s),t.render(e,r),t.setRenderTarget(n,1,s),t.render(e,a),t.setRenderTarget(n,2,s),t.render(e,o),t.setRenderTarget(n,3,s),t.render(e,l),t.setRenderTarget(n,4,s),t.render(e,c),n.texture.generateMipmaps=x,t.setRenderTarget(n,5,s),t.render(e,u),t.setRenderTarget(h,f,p),t.xr.enabled=_,n.texture.needsPMREMUpdate=!0}}class su extends gn{constructor(t=[],e=xr,n,s,r,a,o,l,c,u){super(t,e,n,s,r,a,o,l,c,u),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}}class pg extends rs{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;const n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new su(s),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;const n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new Ps(5,5,5),r=new Bi({name:"CubemapFromEquirect",uniforms:Sr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:An,blending:ns});r.uniforms.tEquirect.value=e;const a=new zn(s,r),o=e.minFilter;return e.minFilter===es&&(e.minFilter=li),new dg(1,10,this).update(t,a),e.minFilter=o,a.geometry.dispose(),a.material.dispose(),this}clear(t,e=!0,n=!0,s=!0){const r=t.getRenderTarget();for(let a=0;a<6;a++)t.setRenderTarget(this,a),t.clear(e,n,s);t.setRenderTarget(r)}}class Qr extends $e{constructor(){super(),this.isGroup=!0,this.type="Group"}}const mg={type:"move"};class Ml{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new Qr,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new Qr,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new V,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new V),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new Qr,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new V,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new V),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){const e=this._hand;if(e)for(const n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,a=null;const o=this._targetRay,l=this._grip,c=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(c&&t.hand){a=!0;for(const x of t.hand.values()){const m=e.getJointPose(x,n),d=this._getHandJoint(c,x);m!==null&&(d.matrix.fromArray(m.transform.matrix),d.matrix.decompose(d.position,d.rotation,d.scale),d.matrixWorldNeedsUpdate=!0,d.jointRadius=m.radius),d.visible=m!==null}const u=c.joints["index-finger-tip"],h=c.joints["thumb-tip"],f=u.position.distanceTo(h.position),p=.02,_=.005;c.inputState.pinching&&f>p+_?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!c.inputState.pinching&&f<=p-_&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else l!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.rotation,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1));o!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(o.matrix.fromArray(s.transform.matrix),o.matrix.decompose(o.position,o.rotation,o.scale),o.matrixWorldNeedsUpdate=!0,s.linearVelocity?(o.hasLinearVelocity=!0,o.linearVelocity.copy(s.linearVelocity)):o.hasLinearVelocity=!1,s.angularVelocity?(o.hasAngularVelocity=!0,o.angularVelocity.copy(s.angularVelocity)):o.hasAngularVelocity=!1,this.dispatchEvent(mg)))}return o!==null&&(o.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=a!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){const n=new Qr;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}}class ru{constructor(t,e=1,n=1e3){this.isFog=!0,this.name="",this.color=new ae(t),this.near=e,this.far=n}clone(){return new ru(this.color,this.near,this.far)}toJSON(){return{type:"Fog",name:this.name,color:this.color.getHex(),near:this.near,far:this.far}}}class gg extends $e{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new Ei,this.environmentIntensity=1,this.environmentRotation=new Ei,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),t.background!==null&&(this.background=t.background.clone()),t.environment!==null&&(this.environment=t.environment.clone()),t.fog!==null&&(this.fog=t.fog.clone()),this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),t.overrideMaterial!==null&&(this.overrideMaterial=t.overrideMaterial.clone()),this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){const e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),this.backgroundBlurriness>0&&(e.object.backgroundBlurriness=this.backgroundBlurriness),this.backgroundIntensity!==1&&(e.object.backgroundIntensity=this.backgroundIntensity),e.object.backgroundRotation=this.backgroundRotation.toArray(),this.environmentIntensity!==1&&(e.object.environmentIntensity=this.environmentIntensity),e.object.environmentRotation=this.environmentRotation.toArray(),e}}class Cd{constructor(t,e){this.isInterleavedBuffer=!0,this.array=t,this.stride=e,this.count=t!==void 0?t.length/e:0,this.usage=Ac,this.updateRanges=[],this.version=0,this.uuid=ss()}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.array=new t.array.constructor(t.array),this.count=t.count,this.stride=t.stride,this.usage=t.usage,this}copyAt(t,e,n){t*=this.stride,n*=e.stride;for(let s=0,r=this.stride;s<r;s++)this.array[t+s]=e.array[n+s];return this}set(t,e=0){return this.array.set(t,e),this}clone(t){t.arrayBuffers===void 0&&(t.arrayBuffers={}),this.array.buffer._uuid===void 0&&(this.array.buffer._uuid=ss()),t.arrayBuffers[this.array.buffer._uuid]===void 0&&(t.arrayBuffers[this.array.buffer._uuid]=this.array.slice(0).buffer);const e=new this.array.constructor(t.arrayBuffers[this.array.buffer._uuid]),n=new this.constructor(e,this.stride);return n.setUsage(this.usage),n}onUpload(t){return this.onUploadCallback=t,this}toJSON(t){return t.arrayBuffers===void 0&&(t.arrayBuffers={}),this.array.buffer._uuid===void 0&&(this.array.buffer._uuid=ss()),t.arrayBuffers[this.array.buffer._uuid]===void 0&&(t.arrayBuffers[this.array.buffer._uuid]=Array.from(new Uint32Array(this.array.buffer))),{uuid:this.uuid,buffer:this.array.buffer._uuid,type:this.array.constructor.name,stride:this.stride}}}const bn=new V;class pa{constructor(t,e,n,s=!1){this.isInterleavedBufferAttribute=!0,this.name="",this.data=t,this.itemSize=e,this.offset=n,this.normalized=s}get count(){return this.data.count}get array(){return this.data.array}set needsUpdate(t){this.data.needsUpdate=t}applyMatrix4(t){for(let e=0,n=this.data.count;e<n;e++)bn.fromBufferAttribute(this,e),bn.applyMatrix4(t),this.setXYZ(e,bn.x,bn.y,bn.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)bn.fromBufferAttribute(this,e),bn.applyNormalMatrix(t),this.setXYZ(e,bn.x,bn.y,bn.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)bn.fromBufferAttribute(this,e),bn.transformDirection(t),this.setXYZ(e,bn.x,bn.y,bn.z);return this}getComponent(t,e){let n=this.array[t*this.data.stride+this.offset+e];return this.normalized&&(n=vi(n,this.array)),n}setComponent(t,e,n){return this.normalized&&(n=Ae(n,this.array)),this.data.array[t*this.data.stride+this.offset+e]=n,this}setX(t,e){return this.normalized&&(e=Ae(e,this.array)),this.data.array[t*this.data.stride+this.offset]=e,this}setY(t,e){return this.normalized&&(e=Ae(e,this.array)),this.data.array[t*this.data.stride+this.offset+1]=e,this}setZ(t,e){return this.normalized&&(e=Ae(e,this.array)),this.data.array[t*this.data.stride+this.offset+2]=e,this}setW(t,e){return this.normalized&&(e=Ae(e,this.array)),this.data.array[t*this.data.stride+this.offset+3]=e,this}getX(t){let e=this.data.array[t*this.data.stride+this.offset];return this.normalized&&(e=vi(e,this.array)),e}getY(t){let e=this.data.array[t*this.data.stride+this.offset+1];return this.normalized&&(e=vi(e,this.array)),e}getZ(t){let e=this.data.array[t*this.data.stride+this.offset+2];return this.normalized&&(e=vi(e,this.array)),e}getW(t){let e=this.data.array[t*this.data.stride+this.offset+3];return this.normalized&&(e=vi(e,this.array)),e}setXY(t,e,n){return t=t*this.data.stride+this.offset,this.normalized&&(e=Ae(e,this.array),n=Ae(n,this.array)),this.data.array[t+0]=e,this.data.array[t+1]=n,this}setXYZ(t,e,n,s){return t=t*this.data.stride+this.offset,this.normalized&&(e=Ae(e,this.array),n=Ae(n,this.array),s=Ae(s,this.array)),this.data.array[t+0]=e,this.data.array[t+1]=n,this.data.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t=t*this.data.stride+this.offset,this.normalized&&(e=Ae(e,this.array),n=Ae(n,this.array),s=Ae(s,this.array),r=Ae(r,this.array)),this.data.array[t+0]=e,this.data.array[t+1]=n,this.data.array[t+2]=s,this.data.array[t+3]=r,this}clone(t){if(t===void 0){console.log("THREE.InterleavedBufferAttribute.clone(): Cloning an interleaved buffer attribute will de-interleave buffer data.");const e=[];for(let n=0;n<this.count;n++){const s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)e.push(this.data.array[s+r])}return new un(new this.array.constructor(e),this.itemSize,this.normalized)}else return t.interleavedBuffers===void 0&&(t.interleavedBuffers={}),t.interleavedBuffers[this.data.uuid]===void 0&&(t.interleavedBuffers[this.data.uuid]=this.data.clone(t)),new pa(t.interleavedBuffers[this.data.uuid],this.itemSize,this.offset,this.normalized)}toJSON(t){if(t===void 0){console.log("THREE.InterleavedBufferAttribute.toJSON(): Serializing an interleaved buffer attribute will de-interleave buffer data.");const e=[];for(let n=0;n<this.count;n++){const s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)e.push(this.data.array[s+r])}return{itemSize:this.itemSize,type:this.array.constructor.name,array:e,normalized:this.normalized}}else return t.interleavedBuffers===void 0&&(t.interleavedBuffers={}),t.interleavedBuffers[this.data.uuid]===void 0&&(t.interleavedBuffers[this.data.uuid]=this.data.toJSON(t)),{isInterleavedBufferAttribute:!0,itemSize:this.itemSize,data:this.data.uuid,offset:this.offset,normalized:this.normalized}}}class Pd extends Us{constructor(t){super(),this.isSpriteMaterial=!0,this.type="SpriteMaterial",this.color=new ae(16777215),this.map=null,this.alphaMap=null,this.rotation=0,this.sizeAttenuation=!0,this.transparent=!0,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.alphaMap=t.alphaMap,this.rotation=t.rotation,this.sizeAttenuation=t.sizeAttenuation,this.fog=t.fog,this}}let ir;const Gr=new V,sr=new V,rr=new V,ar=new ie,Wr=new ie,Dd=new Ee,Xa=new V,Xr=new V,Ya=new V,xh=new ie,Sl=new ie,Mh=new ie;class _g extends $e{constructor(t=new Pd){if(super(),this.isSprite=!0,this.type="Sprite",ir===void 0){ir=new Je;const e=new Float32Array([-.5,-.5,0,0,0,.5,-.5,0,1,0,.5,.5,0,1,1,-.5,.5,0,0,1]),n=new Cd(e,5);ir.setIndex([0,1,2,0,2,3]),ir.setAttribute("position",new pa(n,3,0,!1)),ir.setAttribute("uv",new pa(n,2,3,!1))}this.geometry=ir,this.material=t,this.center=new ie(.5,.5),this.count=1}raycast(t,e){t.camera===null&&console.error('THREE.Sprite: "Raycaster.camera" needs to be set in order to raycast against sprites.'),sr.setFromMatrixScale(this.matrixWorld),Dd.copy(t.camera.matrixWorld),this.modelViewMatrix.multiplyMatrices(t.camera.matrixWorldInverse,this.matrixWorld),rr.setFromMatrixPosition(this.modelViewMatrix),t.camera.isPerspectiveCamera&&this.material.sizeAttenuation===!1&&sr.multiplyScalar(-rr.z);const n=this.material.rotation;let s,r;n!==0&&(r=Math.cos(n),s=Math.sin(n));const a=this.center;qa(Xa.set(-.5,-.5,0),rr,a,sr,s,r),qa(Xr.set(.5,-.5,0),rr,a,sr,s,r),qa(Ya.set(.5,.5,0),rr,a,sr,s,r),xh.set(0,0),Sl.set(1,0),Mh.set(1,1);let o=t.ray.intersectTriangle(Xa,Xr,Ya,!1,Gr);if(o===null&&(qa(Xr.set(-.5,.5,0),rr,a,sr,s,r),Sl.set(0,1),o=t.ray.intersectTriangle(Xa,Ya,Xr,!1,Gr),o===null))return;const l=t.ray.origin.distanceTo(Gr);l<t.near||l>t.far||e.push({distance:l,point:Gr.clone(),uv:Bn.getInterpolation(Gr,Xa,Xr,Ya,xh,Sl,Mh,new ie),face:null,object:this})}copy(t,e){return super.copy(t,e),t.center!==void 0&&this.center.copy(t.center),this.material=t.material,this}}function qa(i,t,e,n,s,r){ar.subVectors(i,e).addScalar(.5).multiply(n),s!==void 0?(Wr.x=r*ar.x-s*ar.y,Wr.y=s*ar.x+r*ar.y):Wr.copy(ar),i.copy(t),i.x+=Wr.x,i.y+=Wr.y,i.applyMatrix4(Dd)}class Rc extends gn{constructor(t=null,e=1,n=1,s,r,a,o,l,c=kn,u=kn,h,f){super(null,a,o,l,c,u,s,r,h,f),this.isDataTexture=!0,this.image={data:t,width:e,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}}class Sh extends un{constructor(t,e,n,s=1){super(t,e,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}toJSON(){const t=super.toJSON();return t.meshPerAttribute=this.meshPerAttribute,t.isInstancedBufferAttribute=!0,t}}const or=new Ee,yh=new Ee,$a=[],Eh=new Ls,vg=new Ee,Yr=new zn,qr=new Rr;class xg extends zn{constructor(t,e,n){super(t,e),this.isInstancedMesh=!0,this.instanceMatrix=new Sh(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,vg)}computeBoundingBox(){const t=this.geometry,e=this.count;this.boundingBox===null&&(this.boundingBox=new Ls),t.boundingBox===null&&t.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,or),Eh.copy(t.boundingBox).applyMatrix4(or),this.boundingBox.union(Eh)}computeBoundingSphere(){const t=this.geometry,e=this.count;this.boundingSphere===null&&(this.boundingSphere=new Rr),t.boundingSphere===null&&t.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,or),qr.copy(t.boundingSphere).applyMatrix4(or),this.boundingSphere.union(qr)}copy(t,e){return super.copy(t,e),this.instanceMatrix.copy(t.instanceMatrix),t.morphTexture!==null&&(this.morphTexture=t.morphTexture.clone()),t.instanceColor!==null&&(this.instanceColor=t.instanceColor.clone()),this.count=t.count,t.boundingBox!==null&&(this.boundingBox=t.boundingBox.clone()),t.boundingSphere!==null&&(this.boundingSphere=t.boundingSphere.clone()),this}getColorAt(t,e){e.fromArray(this.instanceColor.array,t*3)}getMatrixAt(t,e){e.fromArray(this.instanceMatrix.array,t*16)}getMorphAt(t,e){const n=e.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,a=t*r+1;for(let o=0;o<n.length;o++)n[o]=s[a+o]}raycast(t,e){const n=this.matrixWorld,s=this.count;if(Yr.geometry=this.geometry,Yr.material=this.material,Yr.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),qr.copy(this.boundingSphere),qr.applyMatrix4(n),t.ray.intersectsSphere(qr)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,or),yh.multiplyMatrices(n,or),Yr.matrixWorld=yh,Yr.raycast(t,$a);for(let a=0,o=$a.length;a<o;a++){const l=$a[a];l.instanceId=r,l.object=this,e.push(l)}$a.length=0}}setColorAt(t,e){this.instanceColor===null&&(this.instanceColor=new Sh(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),e.toArray(this.instanceColor.array,t*3)}setMatrixAt(t,e){e.toArray(this.instanceMatrix.array,t*16)}setMorphAt(t,e){const n=e.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new Rc(new Float32Array(s*this.count),s,this.count,Zc,xi));const r=this.morphTexture.source.data.data;let a=0;for(let c=0;c<n.length;c++)a+=n[c];const o=this.geometry.morphTargetsRelative?1:1-a,l=s*t;r[l]=o,r.set(n,l+1)}updateMorphTargets(){}dispose(){this.dispatchEvent({type:"dispose"}),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}}const yl=new V,Mg=new V,Sg=new ne;class Ji{constructor(t=new V(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){const s=yl.subVectors(n,e).cross(Mg.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){const t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e){const n=t.delta(yl),s=this.normal.dot(n);if(s===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;const r=-(t.start.dot(this.normal)+this.constant)/s;return r<0||r>1?null:e.copy(t.start).addScaledVector(n,r)}intersectsLine(t){const e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){const n=e||Sg.getNormalMatrix(t),s=this.coplanarPoint(yl).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}}const gs=new Rr,yg=new ie(.5,.5),Ka=new V;class au{constructor(t=new Ji,e=new Ji,n=new Ji,s=new Ji,r=new Ji,a=new Ji){this.planes=[t,e,n,s,r,a]}set(t,e,n,s,r,a){const o=this.planes;return o[0].copy(t),o[1].copy(e),o[2].copy(n),o[3].copy(s),o[4].copy(r),o[5].copy(a),this}copy(t){const e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=Mi,n=!1){const s=this.planes,r=t.elements,a=r[0],o=r[1],l=r[2],c=r[3],u=r[4],h=r[5],f=r[6],p=r[7],_=r[8],x=r[9],m=r[10],d=r[11],T=r[12],w=r[13],S=r[14],L=r[15];if(s[0].setComponents(c-a,p-u,d-_,L-T).normalize(),s[1].setComponents(c+a,p+u,d+_,L+T).normalize(),s[2].setComponents(c+o,p+h,d+x,L+w).normalize(),s[3].setComponents(c-o,p-h,d-x,L-w).normalize(),n)s[4].setComponents(l,f,m,S).normalize(),s[5].setComponents(c-l,p-f,d-m,L-S).normalize();else if(s[4].setComponents(c-l,p-f,d-m,L-S).normalize(),e===Mi)s[5].setComponents(c+l,p+f,d+m,L+S).normalize();else if(e===Mo)s[5].setComponents(l,f,m,S).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),gs.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{const e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),gs.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(gs)}intersectsSprite(t){gs.center.set(0,0,0);const e=yg.distanceTo(t.center);return gs.radius=.7071067811865476+e,gs.applyMatrix4(t.matrixWorld),this.intersectsSphere(gs)}intersectsSphere(t){const e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){const e=this.planes;for(let n=0;n<6;n++){const s=e[n];if(Ka.x=s.normal.x>0?t.max.x:t.min.x,Ka.y=s.normal.y>0?t.max.y:t.min.y,Ka.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(Ka)<0)return!1}return!0}containsPoint(t){const e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}}class Ld extends Us{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new ae(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}}const Eo=new V,bo=new V,bh=new Ee,$r=new nu,ja=new Rr,El=new V,Th=new V;class Eg extends $e{constructor(t=new Je,e=new Ld){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){const t=this.geometry;if(t.index===null){const e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)Eo.fromBufferAttribute(e,s-1),bo.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=Eo.distanceTo(bo);t.setAttribute("lineDistance",new We(n,1))}else console.warn("THREE.Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}raycast(t,e){const n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,a=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),ja.copy(n.boundingSphere),ja.applyMatrix4(s),ja.radius+=r,t.ray.intersectsSphere(ja)===!1)return;bh.copy(s).invert(),$r.copy(t.ray).applyMatrix4(bh);const o=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=o*o,c=this.isLineSegments?2:1,u=n.index,f=n.attributes.position;if(u!==null){const p=Math.max(0,a.start),_=Math.min(u.count,a.start+a.count);for(let x=p,m=_-1;x<m;x+=c){const d=u.getX(x),T=u.getX(x+1),w=Za(this,t,$r,l,d,T,x);w&&e.push(w)}if(this.isLineLoop){const x=u.getX(_-1),m=u.getX(p),d=Za(this,t,$r,l,x,m,_-1);d&&e.push(d)}}else{const p=Math.max(0,a.start),_=Math.min(f.count,a.start+a.count);for(let x=p,m=_-1;x<m;x+=c){const d=Za(this,t,$r,l,x,x+1,x);d&&e.push(d)}if(this.isLineLoop){const x=Za(this,t,$r,l,_-1,p,_-1);x&&e.push(x)}}}updateMorphTargets(){const e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){const s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,a=s.length;r<a;r++){const o=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[o]=r}}}}}function Za(i,t,e,n,s,r,a){const o=i.geometry.attributes.position;if(Eo.fromBufferAttribute(o,s),bo.fromBufferAttribute(o,r),e.distanceSqToSegment(Eo,bo,El,Th)>n)return;El.applyMatrix4(i.matrixWorld);const c=t.ray.origin.distanceTo(El);if(!(c<t.near||c>t.far))return{distance:c,point:Th.clone().applyMatrix4(i.matrixWorld),index:a,face:null,faceIndex:null,barycoord:null,object:i}}const wh=new V,Ah=new V;class bg extends Eg{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){const t=this.geometry;if(t.index===null){const e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)wh.fromBufferAttribute(e,s),Ah.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+wh.distanceTo(Ah);t.setAttribute("lineDistance",new We(n,1))}else console.warn("THREE.LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}}class Ud extends gn{constructor(t,e,n,s,r,a,o,l,c){super(t,e,n,s,r,a,o,l,c),this.isCanvasTexture=!0,this.needsUpdate=!0}}class Id extends gn{constructor(t,e,n=Rs,s,r,a,o=kn,l=kn,c,u=ha,h=1){if(u!==ha&&u!==fa)throw new Error("DepthTexture format must be either THREE.DepthFormat or THREE.DepthStencilFormat");const f={width:t,height:e,depth:h};super(f,s,r,a,o,l,u,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new eu(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){const e=super.toJSON(t);return this.compareFunction!==null&&(e.compareFunction=this.compareFunction),e}}class Nd extends gn{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}}class ou extends Je{constructor(t=1,e=1,n=1,s=32,r=1,a=!1,o=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:n,radialSegments:s,heightSegments:r,openEnded:a,thetaStart:o,thetaLength:l};const c=this;s=Math.floor(s),r=Math.floor(r);const u=[],h=[],f=[],p=[];let _=0;const x=[],m=n/2;let d=0;T(),a===!1&&(t>0&&w(!0),e>0&&w(!1)),this.setIndex(u),this.setAttribute("position",new We(h,3)),this.setAttribute("normal",new We(f,3)),this.setAttribute("uv",new We(p,2));function T(){const S=new V,L=new V;let R=0;const U=(e-t)/n;for(let F=0;F<=r;F++){const b=[],E=F/r,C=E*(e-t)+t;for(let z=0;z<=s;z++){const H=z/s,Y=H*l+o,W=Math.sin(Y),$=Math.cos(Y);L.x=C*W,L.y=-E*n+m,L.z=C*$,h.push(L.x,L.y,L.z),S.set(W,U,$).normalize(),f.push(S.x,S.y,S.z),p.push(H,1-E),b.push(_++)}x.push(b)}for(let F=0;F<s;F++)for(let b=0;b<r;b++){const E=x[b][F],C=x[b+1][F],z=x[b+1][F+1],H=x[b][F+1];(t>0||b!==0)&&(u.push(E,C,H),R+=3),(e>0||b!==r-1)&&(u.push(C,z,H),R+=3)}c.addGroup(d,R,0),d+=R}function w(S){const L=_,R=new ie,U=new V;let F=0;const b=S===!0?t:e,E=S===!0?1:-1;for(let z=1;z<=s;z++)h.push(0,m*E,0),f.push(0,E,0),p.push(.5,.5),_++;const C=_;for(let z=0;z<=s;z++){const Y=z/s*l+o,W=Math.cos(Y),$=Math.sin(Y);U.x=b*$,U.y=m*E,U.z=b*W,h.push(U.x,U.y,U.z),f.push(0,E,0),R.x=W*.5+.5,R.y=$*.5*E+.5,p.push(R.x,R.y),_++}for(let z=0;z<s;z++){const H=L+z,Y=C+z;S===!0?u.push(Y,Y+1,H):u.push(Y+1,Y,H),F+=3}c.addGroup(d,F,S===!0?1:2),d+=F}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new ou(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}}const Ja=new V,Qa=new V,bl=new V,to=new Bn;class Tg extends Je{constructor(t=null,e=1){if(super(),this.type="EdgesGeometry",this.parameters={geometry:t,thresholdAngle:e},t!==null){const s=Math.pow(10,4),r=Math.cos(po*e),a=t.getIndex(),o=t.getAttribute("position"),l=a?a.count:o.count,c=[0,0,0],u=["a","b","c"],h=new Array(3),f={},p=[];for(let _=0;_<l;_+=3){a?(c[0]=a.getX(_),c[1]=a.getX(_+1),c[2]=a.getX(_+2)):(c[0]=_,c[1]=_+1,c[2]=_+2);const{a:x,b:m,c:d}=to;if(x.fromBufferAttribute(o,c[0]),m.fromBufferAttribute(o,c[1]),d.fromBufferAttribute(o,c[2]),to.getNormal(bl),h[0]=`${Math.round(x.x*s)},${Math.round(x.y*s)},${Math.round(x.z*s)}`,h[1]=`${Math.round(m.x*s)},${Math.round(m.y*s)},${Math.round(m.z*s)}`,h[2]=`${Math.round(d.x*s)},${Math.round(d.y*s)},${Math.round(d.z*s)}`,!(h[0]===h[1]||h[1]===h[2]||h[2]===h[0]))for(let T=0;T<3;T++){const w=(T+1)%3,S=h[T],L=h[w],R=to[u[T]],U=to[u[w]],F=`${S}_${L}`,b=`${L}_${S}`;b in f&&f[b]?(bl.dot(f[b].normal)<=r&&(p.push(R.x,R.y,R.z),p.push(U.x,U.y,U.z)),f[b]=null):F in f||(f[F]={index0:c[T],index1:c[w],normal:bl.clone()})}}for(const _ in f)if(f[_]){const{index0:x,index1:m}=f[_];Ja.fromBufferAttribute(o,x),Qa.fromBufferAttribute(o,m),p.push(Ja.x,Ja.y,Ja.z),p.push(Qa.x,Qa.y,Qa.z)}this.setAttribute("position",new We(p,3))}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}}class Ma extends Je{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};const r=t/2,a=e/2,o=Math.floor(n),l=Math.floor(s),c=o+1,u=l+1,h=t/o,f=e/l,p=[],_=[],x=[],m=[];for(let d=0;d<u;d++){const T=d*f-a;for(let w=0;w<c;w++){const S=w*h-r;_.push(S,-T,0),x.push(0,0,1),m.push(w/o),m.push(1-d/l)}}for(let d=0;d<l;d++)for(let T=0;T<o;T++){const w=T+c*d,S=T+c*(d+1),L=T+1+c*(d+1),R=T+1+c*d;p.push(w,S,R),p.push(S,L,R)}this.setIndex(p),this.setAttribute("position",new We(_,3)),this.setAttribute("normal",new We(x,3)),this.setAttribute("uv",new We(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new Ma(t.width,t.height,t.widthSegments,t.heightSegments)}}class ma extends Je{constructor(t=1,e=32,n=16,s=0,r=Math.PI*2,a=0,o=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:n,phiStart:s,phiLength:r,thetaStart:a,thetaLength:o},e=Math.max(3,Math.floor(e)),n=Math.max(2,Math.floor(n));const l=Math.min(a+o,Math.PI);let c=0;const u=[],h=new V,f=new V,p=[],_=[],x=[],m=[];for(let d=0;d<=n;d++){const T=[],w=d/n;let S=0;d===0&&a===0?S=.5/e:d===n&&l===Math.PI&&(S=-.5/e);for(let L=0;L<=e;L++){const R=L/e;h.x=-t*Math.cos(s+R*r)*Math.sin(a+w*o),h.y=t*Math.cos(a+w*o),h.z=t*Math.sin(s+R*r)*Math.sin(a+w*o),_.push(h.x,h.y,h.z),f.copy(h).normalize(),x.push(f.x,f.y,f.z),m.push(R+S,1-w),T.push(c++)}u.push(T)}for(let d=0;d<n;d++)for(let T=0;T<e;T++){const w=u[d][T+1],S=u[d][T],L=u[d+1][T],R=u[d+1][T+1];(d!==0||a>0)&&p.push(w,S,R),(d!==n-1||l<Math.PI)&&p.push(S,L,R)}this.setIndex(p),this.setAttribute("position",new We(_,3)),this.setAttribute("normal",new We(x,3)),this.setAttribute("uv",new We(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new ma(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}}class wg extends Us{constructor(t){super(),this.isMeshPhongMaterial=!0,this.type="MeshPhongMaterial",this.color=new ae(16777215),this.specular=new ae(1118481),this.shininess=30,this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new ae(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=xd,this.normalScale=new ie(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Ei,this.combine=qc,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.specular.copy(t.specular),this.shininess=t.shininess,this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}}class Ag extends Us{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=Lm,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}}class Rg extends Us{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}}class lu extends $e{constructor(t,e=1){super(),this.isLight=!0,this.type="Light",this.color=new ae(t),this.intensity=e}dispose(){}copy(t,e){return super.copy(t,e),this.color.copy(t.color),this.intensity=t.intensity,this}toJSON(t){const e=super.toJSON(t);return e.object.color=this.color.getHex(),e.object.intensity=this.intensity,this.groundColor!==void 0&&(e.object.groundColor=this.groundColor.getHex()),this.distance!==void 0&&(e.object.distance=this.distance),this.angle!==void 0&&(e.object.angle=this.angle),this.decay!==void 0&&(e.object.decay=this.decay),this.penumbra!==void 0&&(e.object.penumbra=this.penumbra),this.shadow!==void 0&&(e.object.shadow=this.shadow.toJSON()),this.target!==void 0&&(e.object.target=this.target.uuid),e}}const Tl=new Ee,Rh=new V,Ch=new V;class Fd{constructor(t){this.camera=t,this.intensity=1,this.bias=0,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new ie(512,512),this.mapType=yi,this.map=null,this.mapPass=null,this.matrix=new Ee,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new au,this._frameExtents=new ie(1,1),this._viewportCount=1,this._viewports=[new Ge(0,0,1,1)]}getViewportCount(){return this._viewportCount}getFrustum(){return this._frustum}updateMatrices(t){const e=this.camera,n=this.matrix;Rh.setFromMatrixPosition(t.matrixWorld),e.position.copy(Rh),Ch.setFromMatrixPosition(t.target.matrixWorld),e.lookAt(Ch),e.updateMatrixWorld(),Tl.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),this._frustum.setFromProjectionMatrix(Tl,e.coordinateSystem,e.reversedDepth),e.reversedDepth?n.set(.5,0,0,.5,0,.5,0,.5,0,0,1,0,0,0,0,1):n.set(.5,0,0,.5,0,.5,0,.5,0,0,.5,.5,0,0,0,1),n.multiply(Tl)}getViewport(t){return this._viewports[t]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(t){return this.camera=t.camera.clone(),this.intensity=t.intensity,this.bias=t.bias,this.radius=t.radius,this.autoUpdate=t.autoUpdate,this.needsUpdate=t.needsUpdate,this.normalBias=t.normalBias,this.blurSamples=t.blurSamples,this.mapSize.copy(t.mapSize),this}clone(){return new this.constructor().copy(this)}toJSON(){const t={};return this.intensity!==1&&(t.intensity=this.intensity),this.bias!==0&&(t.bias=this.bias),this.normalBias!==0&&(t.normalBias=this.normalBias),this.radius!==1&&(t.radius=this.radius),(this.mapSize.x!==512||this.mapSize.y!==512)&&(t.mapSize=this.mapSize.toArray()),t.camera=this.camera.toJSON(!1).object,delete t.camera.matrix,t}}class Cg extends Fd{constructor(){super(new Pn(50,1,.5,500)),this.isSpotLightShadow=!0,this.focus=1,this.aspect=1}updateMatrices(t){const e=this.camera,n=So*2*t.angle*this.focus,s=this.mapSize.width/this.mapSize.height*this.aspect,r=t.distance||e.far;(n!==e.fov||s!==e.aspect||r!==e.far)&&(e.fov=n,e.aspect=s,e.far=r,e.updateProjectionMatrix()),super.updateMatrices(t)}copy(t){return super.copy(t),this.focus=t.focus,this}}class Pg extends lu{constructor(t,e,n=0,s=Math.PI/3,r=0,a=2){super(t,e),this.isSpotLight=!0,this.type="SpotLight",this.position.copy($e.DEFAULT_UP),this.updateMatrix(),this.target=new $e,this.distance=n,this.angle=s,this.penumbra=r,this.decay=a,this.map=null,this.shadow=new Cg}get power(){return this.intensity*Math.PI}set power(t){this.intensity=t/Math.PI}dispose(){this.shadow.dispose()}copy(t,e){return super.copy(t,e),this.distance=t.distance,this.angle=t.angle,this.penumbra=t.penumbra,this.decay=t.decay,this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}}class cu extends Rd{constructor(t=-1,e=1,n=1,s=-1,r=.1,a=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=a,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,a){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){const t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2;let r=n-t,a=n+t,o=s+e,l=s-e;if(this.view!==null&&this.view.enabled){const c=(this.right-this.left)/this.view.fullWidth/this.zoom,u=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,a=r+c*this.view.width,o-=u*this.view.offsetY,l=o-u*this.view.height}this.projectionMatrix.makeOrthographic(r,a,o,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){const e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}}class Dg extends Fd{constructor(){super(new cu(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}}class Ph extends lu{constructor(t,e){super(t,e),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy($e.DEFAULT_UP),this.updateMatrix(),this.target=new $e,this.shadow=new Dg}dispose(){this.shadow.dispose()}copy(t){return super.copy(t),this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}}class Lg extends lu{constructor(t,e){super(t,e),this.isAmbientLight=!0,this.type="AmbientLight"}}class Ug extends Pn{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t}}const Dh=new Ee;class Ig{constructor(t,e,n=0,s=1/0){this.ray=new nu(t,e),this.near=n,this.far=s,this.camera=null,this.layers=new iu,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(t,e){this.ray.set(t,e)}setFromCamera(t,e){e.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(t.x,t.y,.5).unproject(e).sub(this.ray.origin).normalize(),this.camera=e):e.isOrthographicCamera?(this.ray.origin.set(t.x,t.y,(e.near+e.far)/(e.near-e.far)).unproject(e),this.ray.direction.set(0,0,-1).transformDirection(e.matrixWorld),this.camera=e):console.error("THREE.Raycaster: Unsupported camera type: "+e.type)}setFromXRController(t){return Dh.identity().extractRotation(t.matrixWorld),this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(Dh),this}intersectObject(t,e=!0,n=[]){return Cc(t,this,n,e),n.sort(Lh),n}intersectObjects(t,e=!0,n=[]){for(let s=0,r=t.length;s<r;s++)Cc(t[s],this,n,e);return n.sort(Lh),n}}function Lh(i,t){return i.distance-t.distance}function Cc(i,t,e,n){let s=!0;if(i.layers.test(t.layers)&&i.raycast(t,e)===!1&&(s=!1),s===!0&&n===!0){const r=i.children;for(let a=0,o=r.length;a<o;a++)Cc(r[a],t,e,!0)}}function Uh(i,t,e,n){const s=Ng(n);switch(e){case gd:return i*t;case Zc:return i*t/s.components*s.byteLength;case Jc:return i*t/s.components*s.byteLength;case vd:return i*t*2/s.components*s.byteLength;case Qc:return i*t*2/s.components*s.byteLength;case _d:return i*t*3/s.components*s.byteLength;case ci:return i*t*4/s.components*s.byteLength;case tu:return i*t*4/s.components*s.byteLength;case co:case uo:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case ho:case fo:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case tc:case nc:return Math.max(i,16)*Math.max(t,8)/4;case Ql:case ec:return Math.max(i,8)*Math.max(t,8)/2;case ic:case sc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case rc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case ac:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case oc:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case lc:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case cc:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case uc:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case hc:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case fc:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case dc:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case pc:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case mc:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case gc:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case _c:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case vc:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case xc:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case Mc:case Sc:case yc:return Math.ceil(i/4)*Math.ceil(t/4)*16;case Ec:case bc:return Math.ceil(i/4)*Math.ceil(t/4)*8;case Tc:case wc:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function Ng(i){switch(i){case yi:case fd:return{byteLength:1,components:1};case ca:case dd:case xa:return{byteLength:2,components:1};case Kc:case jc:return{byteLength:2,components:4};case Rs:case $c:case xi:return{byteLength:4,components:1};case pd:case md:return{byteLength:4,components:3}}throw new Error(`Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:Xc}}));typeof window<"u"&&(window.__THREE__?console.warn("WARNING: Multiple instances of Three.js being imported."):window.__THREE__=Xc);function Od(){let i=null,t=!1,e=null,n=null;function s(r,a){e(r,a),n=i.requestAnimationFrame(s)}return{start:function(){t!==!0&&e!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function Fg(i){const t=new WeakMap;function e(o,l){const c=o.array,u=o.usage,h=c.byteLength,f=i.createBuffer();i.bindBuffer(l,f),i.bufferData(l,c,u),o.onUploadCallback();let p;if(c instanceof Float32Array)p=i.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)p=i.HALF_FLOAT;else if(c instanceof Uint16Array)o.isFloat16BufferAttribute?p=i.HALF_FLOAT:p=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)p=i.SHORT;else if(c instanceof Uint32Array)p=i.UNSIGNED_INT;else if(c instanceof Int32Array)p=i.INT;else if(c instanceof Int8Array)p=i.BYTE;else if(c instanceof Uint8Array)p=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)p=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:f,type:p,bytesPerElement:c.BYTES_PER_ELEMENT,version:o.version,size:h}}function n(o,l,c){const u=l.array,h=l.updateRanges;if(i.bindBuffer(c,o),h.length===0)i.bufferSubData(c,0,u);else{h.sort((p,_)=>p.start-_.start);let f=0;for(let p=1;p<h.length;p++){const _=h[f],x=h[p];x.start<=_.start+_.count+1?_.count=Math.max(_.count,x.start+x.count-_.start):(++f,h[f]=x)}h.length=f+1;for(let p=0,_=h.length;p<_;p++){const x=h[p];i.bufferSubData(c,x.start*u.BYTES_PER_ELEMENT,u,x.start,x.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(o){return o.isInterleavedBufferAttribute&&(o=o.data),t.get(o)}function r(o){o.isInterleavedBufferAttribute&&(o=o.data);const l=t.get(o);l&&(i.deleteBuffer(l.buffer),t.delete(o))}function a(o,l){if(o.isInterleavedBufferAttribute&&(o=o.data),o.isGLBufferAttribute){const u=t.get(o);(!u||u.version<o.version)&&t.set(o,{buffer:o.buffer,type:o.type,bytesPerElement:o.elementSize,version:o.version});return}const c=t.get(o);if(c===void 0)t.set(o,e(o,l));else if(c.version<o.version){if(c.size!==o.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,o,l),c.version=o.version}}return{get:s,remove:r,update:a}}var Og=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,Bg=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,zg=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,kg=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Hg=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,Vg=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,Gg=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,Wg=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,Xg=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec3 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 ).rgb;
	}
#endif`,Yg=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,qg=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,$g=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,Kg=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,jg=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,Zg=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,Jg=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,Qg=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,t_=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,e_=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,n_=`#if defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#elif defined( USE_COLOR )
	diffuseColor.rgb *= vColor;
#endif`,i_=`#if defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#elif defined( USE_COLOR )
	varying vec3 vColor;
#endif`,s_=`#if defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#elif defined( USE_COLOR ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec3 vColor;
#endif`,r_=`#if defined( USE_COLOR_ALPHA )
	vColor = vec4( 1.0 );
#elif defined( USE_COLOR ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec3( 1.0 );
#endif
#ifdef USE_COLOR
	vColor *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.xyz *= instanceColor.xyz;
#endif
#ifdef USE_BATCHING_COLOR
	vec3 batchingColor = getBatchingColor( getIndirectIndex( gl_DrawID ) );
	vColor.xyz *= batchingColor.xyz;
#endif`,a_=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
vec3 inverseTransformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( vec4( dir, 0.0 ) * matrix ).xyz );
}
mat3 transposeMat3( const in mat3 m ) {
	mat3 tmp;
	tmp[ 0 ] = vec3( m[ 0 ].x, m[ 1 ].x, m[ 2 ].x );
	tmp[ 1 ] = vec3( m[ 0 ].y, m[ 1 ].y, m[ 2 ].y );
	tmp[ 2 ] = vec3( m[ 0 ].z, m[ 1 ].z, m[ 2 ].z );
	return tmp;
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,o_=`#ifdef ENVMAP_TYPE_CUBE_UV
	#define cubeUV_minMipLevel 4.0
	#define cubeUV_minTileSize 16.0
	float getFace( vec3 direction ) {
		vec3 absDirection = abs( direction );
		float face = - 1.0;
		if ( absDirection.x > absDirection.z ) {
			if ( absDirection.x > absDirection.y )
				face = direction.x > 0.0 ? 0.0 : 3.0;
			else
				face = direction.y > 0.0 ? 1.0 : 4.0;
		} else {
			if ( absDirection.z > absDirection.y )
				face = direction.z > 0.0 ? 2.0 : 5.0;
			else
				face = direction.y > 0.0 ? 1.0 : 4.0;
		}
		return face;
	}
	vec2 getUV( vec3 direction, float face ) {
		vec2 uv;
		if ( face == 0.0 ) {
			uv = vec2( direction.z, direction.y ) / abs( direction.x );
		} else if ( face == 1.0 ) {
			uv = vec2( - direction.x, - direction.z ) / abs( direction.y );
		} else if ( face == 2.0 ) {
			uv = vec2( - direction.x, direction.y ) / abs( direction.z );
		} else if ( face == 3.0 ) {
			uv = vec2( - direction.z, direction.y ) / abs( direction.x );
		} else if ( face == 4.0 ) {
			uv = vec2( - direction.x, direction.z ) / abs( direction.y );
		} else {
			uv = vec2( direction.x, direction.y ) / abs( direction.z );
		}
		return 0.5 * ( uv + 1.0 );
	}
	vec3 bilinearCubeUV( sampler2D envMap, vec3 direction, float mipInt ) {
		float face = getFace( direction );
		float filterInt = max( cubeUV_minMipLevel - mipInt, 0.0 );
		mipInt = max( mipInt, cubeUV_minMipLevel );
		float faceSize = exp2( mipInt );
		highp vec2 uv = getUV( direction, face ) * ( faceSize - 2.0 ) + 1.0;
		if ( face > 2.0 ) {
			uv.y += faceSize;
			face -= 3.0;
		}
		uv.x += face * faceSize;
		uv.x += filterInt * 3.0 * cubeUV_minTileSize;
		uv.y += 4.0 * ( exp2( CUBEUV_MAX_MIP ) - faceSize );
		uv.x *= CUBEUV_TEXEL_WIDTH;
		uv.y *= CUBEUV_TEXEL_HEIGHT;
		#ifdef texture2DGradEXT
			return texture2DGradEXT( envMap, uv, vec2( 0.0 ), vec2( 0.0 ) ).rgb;
		#else
			return texture2D( envMap, uv ).rgb;
		#endif
	}
	#define cubeUV_r0 1.0
	#define cubeUV_m0 - 2.0
	#define cubeUV_r1 0.8
	#define cubeUV_m1 - 1.0
	#define cubeUV_r4 0.4
	#define cubeUV_m4 2.0
	#define cubeUV_r5 0.305
	#define cubeUV_m5 3.0
	#define cubeUV_r6 0.21
	#define cubeUV_m6 4.0
	float roughnessToMip( float roughness ) {
		float mip = 0.0;
		if ( roughness >= cubeUV_r1 ) {
			mip = ( cubeUV_r0 - roughness ) * ( cubeUV_m1 - cubeUV_m0 ) / ( cubeUV_r0 - cubeUV_r1 ) + cubeUV_m0;
		} else if ( roughness >= cubeUV_r4 ) {
			mip = ( cubeUV_r1 - roughness ) * ( cubeUV_m4 - cubeUV_m1 ) / ( cubeUV_r1 - cubeUV_r4 ) + cubeUV_m1;
		} else if ( roughness >= cubeUV_r5 ) {
			mip = ( cubeUV_r4 - roughness ) * ( cubeUV_m5 - cubeUV_m4 ) / ( cubeUV_r4 - cubeUV_r5 ) + cubeUV_m4;
		} else if ( roughness >= cubeUV_r6 ) {
			mip = ( cubeUV_r5 - roughness ) * ( cubeUV_m6 - cubeUV_m5 ) / ( cubeUV_r5 - cubeUV_r6 ) + cubeUV_m5;
		} else {
			mip = - 2.0 * log2( 1.16 * roughness );		}
		return mip;
	}
	vec4 textureCubeUV( sampler2D envMap, vec3 sampleDir, float roughness ) {
		float mip = clamp( roughnessToMip( roughness ), cubeUV_m0, CUBEUV_MAX_MIP );
		float mipF = fract( mip );
		float mipInt = floor( mip );
		vec3 color0 = bilinearCubeUV( envMap, sampleDir, mipInt );
		if ( mipF == 0.0 ) {
			return vec4( color0, 1.0 );
		} else {
			vec3 color1 = bilinearCubeUV( envMap, sampleDir, mipInt + 1.0 );
			return vec4( mix( color0, color1, mipF ), 1.0 );
		}
	}
#endif`,l_=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
	#ifdef FLIP_SIDED
		transformedTangent = - transformedTangent;
	#endif
#endif`,c_=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,u_=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,h_=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,f_=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,d_="gl_FragColor = linearToOutputTexel( gl_FragColor );",p_=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,m_=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * vec3( flipEnvMap * reflectVec.x, reflectVec.yz ) );
	#else
		vec4 envColor = vec4( 0.0 );
	#endif
	#ifdef ENVMAP_BLENDING_MULTIPLY
		outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
	#elif defined( ENVMAP_BLENDING_MIX )
		outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
	#elif defined( ENVMAP_BLENDING_ADD )
		outgoingLight += envColor.xyz * specularStrength * reflectivity;
	#endif
#endif`,g_=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform float flipEnvMap;
	uniform mat3 envMapRotation;
	#ifdef ENVMAP_TYPE_CUBE
		uniform samplerCube envMap;
	#else
		uniform sampler2D envMap;
	#endif
	
#endif`,__=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,v_=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,x_=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = inverseTransformDirection( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,M_=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,S_=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,y_=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,E_=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,b_=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,T_=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,w_=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,A_=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,R_=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif`,C_=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_CUBE_UV
			vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
			vec4 envMapColor = textureCubeUV( envMap, envMapRotation * worldNormal, 1.0 );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_CUBE_UV
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, roughness * roughness) );
			reflectVec = inverseTransformDirection( reflectVec, viewMatrix );
			vec4 envMapColor = textureCubeUV( envMap, envMapRotation * reflectVec, roughness );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_CUBE_UV
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
#endif`,P_=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,D_=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,L_=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,U_=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,I_=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb * ( 1.0 - metalnessFactor );
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.0525 );material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = mix( min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = mix( vec3( 0.04 ), diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.0525 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.07, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,N_=`struct PhysicalMaterial {
	vec3 diffuseColor;
	float roughness;
	vec3 specularColor;
	float specularF90;
	float dispersion;
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		float v = 0.5 / ( gv + gl );
		return saturate(v);
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = material.clearcoatRoughness;
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColor;
	float f90 = material.specularF90;
	float roughness = material.roughness;
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float V = V_GGX_SmithCorrelated_Anisotropic( material.alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( material.alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transposeMat3( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float a = roughness < 0.25 ? -339.2 * r2 + 161.4 * roughness - 25.9 : -8.48 * r2 + 14.3 * roughness - 9.95;
	float b = roughness < 0.25 ? 44.0 * r2 - 23.7 * roughness + 3.26 : 1.97 * r2 - 3.27 * roughness + 0.72;
	float DG = exp( a * dotNV + b ) + ( roughness < 0.25 ? 0.0 : 0.1 * ( roughness - 0.25 ) );
	return saturate( DG * RECIPROCAL_PI );
}
vec2 DFGApprox( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	const vec4 c0 = vec4( - 1, - 0.0275, - 0.572, 0.022 );
	const vec4 c1 = vec4( 1, 0.0425, 1.04, - 0.04 );
	vec4 r = roughness * c0 + c1;
	float a004 = min( r.x * r.x, exp2( - 9.28 * dotNV ) ) * r.x + r.y;
	vec2 fab = vec2( - 1.04, 1.04 ) * a004 + r.zw;
	return fab;
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	vec2 fab = DFGApprox( normal, viewDir, roughness );
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, const in float roughness, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	vec2 fab = DFGApprox( normal, viewDir, roughness );
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColor * t2.x + ( vec3( 1.0 ) - material.specularColor ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseColor * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
	#endif
	reflectedLight.directSpecular += irradiance * BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
	#endif
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( geometryNormal, geometryViewDir, material.specularColor, material.specularF90, material.iridescence, material.iridescenceFresnel, material.roughness, singleScattering, multiScattering );
	#else
		computeMultiscattering( geometryNormal, geometryViewDir, material.specularColor, material.specularF90, material.roughness, singleScattering, multiScattering );
	#endif
	vec3 totalScattering = singleScattering + multiScattering;
	vec3 diffuse = material.diffuseColor * ( 1.0 - max( max( totalScattering.r, totalScattering.g ), totalScattering.b ) );
	reflectedLight.indirectSpecular += radiance * singleScattering;
	reflectedLight.indirectSpecular += multiScattering * cosineWeightedIrradiance;
	reflectedLight.indirectDiffuse += diffuse * cosineWeightedIrradiance;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,F_=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		material.iridescenceFresnel = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		material.iridescenceF0 = Schlick_to_F0( material.iridescenceFresnel, 1.0, dotNVi );
	}
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,O_=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD ) && defined( ENVMAP_TYPE_CUBE_UV )
		iblIrradiance += getIBLIrradiance( geometryNormal );
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		radiance += getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		radiance += getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,B_=`#if defined( RE_IndirectDiffuse )
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,z_=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,k_=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,H_=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,V_=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,G_=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,W_=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,X_=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,Y_=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,q_=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,$_=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,K_=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,j_=`#if defined( USE_MORPHCOLORS )
	vColor *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,Z_=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,J_=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,Q_=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,t0=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#if defined( DOUBLE_SIDED ) && ! defined( FLAT_SHADED )
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#if defined( DOUBLE_SIDED ) && ! defined( FLAT_SHADED )
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,e0=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,n0=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,i0=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,s0=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
	#endif
#endif`,r0=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,a0=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,o0=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,l0=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,c0=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,u0=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,h0=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	return depth * ( near - far ) - near;
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	return ( near * far ) / ( ( far - near ) * depth - far );
}`,f0=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,d0=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,p0=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,m0=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,g0=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,_0=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,v0=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform sampler2D pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	float texture2DCompare( sampler2D depths, vec2 uv, float compare ) {
		float depth = unpackRGBAToDepth( texture2D( depths, uv ) );
		#ifdef USE_REVERSED_DEPTH_BUFFER
			return step( depth, compare );
		#else
			return step( compare, depth );
		#endif
	}
	vec2 texture2DDistribution( sampler2D shadow, vec2 uv ) {
		return unpackRGBATo2Half( texture2D( shadow, uv ) );
	}
	float VSMShadow( sampler2D shadow, vec2 uv, float compare ) {
		float occlusion = 1.0;
		vec2 distribution = texture2DDistribution( shadow, uv );
		#ifdef USE_REVERSED_DEPTH_BUFFER
			float hard_shadow = step( distribution.x, compare );
		#else
			float hard_shadow = step( compare, distribution.x );
		#endif
		if ( hard_shadow != 1.0 ) {
			float distance = compare - distribution.x;
			float variance = max( 0.00000, distribution.y * distribution.y );
			float softness_probability = variance / (variance + distance * distance );			softness_probability = clamp( ( softness_probability - 0.3 ) / ( 0.95 - 0.3 ), 0.0, 1.0 );			occlusion = clamp( max( hard_shadow, softness_probability ), 0.0, 1.0 );
		}
		return occlusion;
	}
	float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
		float shadow = 1.0;
		shadowCoord.xyz /= shadowCoord.w;
		shadowCoord.z += shadowBias;
		bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
		bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
		if ( frustumTest ) {
		#if defined( SHADOWMAP_TYPE_PCF )
			vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
			float dx0 = - texelSize.x * shadowRadius;
			float dy0 = - texelSize.y * shadowRadius;
			float dx1 = + texelSize.x * shadowRadius;
			float dy1 = + texelSize.y * shadowRadius;
			float dx2 = dx0 / 2.0;
			float dy2 = dy0 / 2.0;
			float dx3 = dx1 / 2.0;
			float dy3 = dy1 / 2.0;
			shadow = (
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy, shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, dy1 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy1 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, dy1 ), shadowCoord.z )
			) * ( 1.0 / 17.0 );
		#elif defined( SHADOWMAP_TYPE_PCF_SOFT )
			vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
			float dx = texelSize.x;
			float dy = texelSize.y;
			vec2 uv = shadowCoord.xy;
			vec2 f = fract( uv * shadowMapSize + 0.5 );
			uv -= f * texelSize;
			shadow = (
				texture2DCompare( shadowMap, uv, shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + vec2( dx, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + vec2( 0.0, dy ), shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + texelSize, shadowCoord.z ) +
				mix( texture2DCompare( shadowMap, uv + vec2( -dx, 0.0 ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, 0.0 ), shadowCoord.z ),
					 f.x ) +
				mix( texture2DCompare( shadowMap, uv + vec2( -dx, dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, dy ), shadowCoord.z ),
					 f.x ) +
				mix( texture2DCompare( shadowMap, uv + vec2( 0.0, -dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 0.0, 2.0 * dy ), shadowCoord.z ),
					 f.y ) +
				mix( texture2DCompare( shadowMap, uv + vec2( dx, -dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( dx, 2.0 * dy ), shadowCoord.z ),
					 f.y ) +
				mix( mix( texture2DCompare( shadowMap, uv + vec2( -dx, -dy ), shadowCoord.z ),
						  texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, -dy ), shadowCoord.z ),
						  f.x ),
					 mix( texture2DCompare( shadowMap, uv + vec2( -dx, 2.0 * dy ), shadowCoord.z ),
						  texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, 2.0 * dy ), shadowCoord.z ),
						  f.x ),
					 f.y )
			) * ( 1.0 / 9.0 );
		#elif defined( SHADOWMAP_TYPE_VSM )
			shadow = VSMShadow( shadowMap, shadowCoord.xy, shadowCoord.z );
		#else
			shadow = texture2DCompare( shadowMap, shadowCoord.xy, shadowCoord.z );
		#endif
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	vec2 cubeToUV( vec3 v, float texelSizeY ) {
		vec3 absV = abs( v );
		float scaleToCube = 1.0 / max( absV.x, max( absV.y, absV.z ) );
		absV *= scaleToCube;
		v *= scaleToCube * ( 1.0 - 2.0 * texelSizeY );
		vec2 planar = v.xy;
		float almostATexel = 1.5 * texelSizeY;
		float almostOne = 1.0 - almostATexel;
		if ( absV.z >= almostOne ) {
			if ( v.z > 0.0 )
				planar.x = 4.0 - v.x;
		} else if ( absV.x >= almostOne ) {
			float signX = sign( v.x );
			planar.x = v.z * signX + 2.0 * signX;
		} else if ( absV.y >= almostOne ) {
			float signY = sign( v.y );
			planar.x = v.x + 2.0 * signY + 2.0;
			planar.y = v.z * signY - 2.0;
		}
		return vec2( 0.125, 0.25 ) * planar + vec2( 0.375, 0.75 );
	}
	float getPointShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		
		float lightToPositionLength = length( lightToPosition );
		if ( lightToPositionLength - shadowCameraFar <= 0.0 && lightToPositionLength - shadowCameraNear >= 0.0 ) {
			float dp = ( lightToPositionLength - shadowCameraNear ) / ( shadowCameraFar - shadowCameraNear );			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			vec2 texelSize = vec2( 1.0 ) / ( shadowMapSize * vec2( 4.0, 2.0 ) );
			#if defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_PCF_SOFT ) || defined( SHADOWMAP_TYPE_VSM )
				vec2 offset = vec2( - 1, 1 ) * shadowRadius * texelSize.y;
				shadow = (
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xyy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yyy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xyx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yyx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xxy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yxy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xxx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yxx, texelSize.y ), dp )
				) * ( 1.0 / 9.0 );
			#else
				shadow = texture2DCompare( shadowMap, cubeToUV( bd3D, texelSize.y ), dp );
			#endif
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
#endif`,x0=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,M0=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	vec3 shadowWorldNormal = inverseTransformDirection( transformedNormal, viewMatrix );
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,S0=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,y0=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,E0=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,b0=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,T0=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,w0=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,A0=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,R0=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,C0=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,P0=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = inverseTransformDirection( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseColor, material.specularColor, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,D0=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,L0=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,U0=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,I0=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,N0=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`;const F0=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,O0=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,B0=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,z0=`#ifdef ENVMAP_TYPE_CUBE
	uniform samplerCube envMap;
#elif defined( ENVMAP_TYPE_CUBE_UV )
	uniform sampler2D envMap;
#endif
uniform float flipEnvMap;
uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <cube_uv_reflection_fragment>
void main() {
	#ifdef ENVMAP_TYPE_CUBE
		vec4 texColor = textureCube( envMap, backgroundRotation * vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) );
	#elif defined( ENVMAP_TYPE_CUBE_UV )
		vec4 texColor = textureCubeUV( envMap, backgroundRotation * vWorldDirection, backgroundBlurriness );
	#else
		vec4 texColor = vec4( 0.0, 0.0, 0.0, 1.0 );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,k0=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,H0=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,V0=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,G0=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,W0=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,X0=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main () {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = packDepthToRGBA( dist );
}`,Y0=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,q0=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,$0=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,K0=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,j0=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,Z0=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,J0=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Q0=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,tv=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,ev=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,nv=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,iv=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <packing>
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( packNormalToRGB( normal ), diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,sv=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,rv=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,av=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,ov=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <cube_uv_reflection_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
		float sheenEnergyComp = 1.0 - 0.157 * max3( material.sheenColor );
		outgoingLight = outgoingLight * sheenEnergyComp + sheenSpecularDirect + sheenSpecularIndirect;
	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,lv=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,cv=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,uv=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,hv=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,fv=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,dv=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <packing>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,pv=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,mv=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,re={alphahash_fragment:Og,alphahash_pars_fragment:Bg,alphamap_fragment:zg,alphamap_pars_fragment:kg,alphatest_fragment:Hg,alphatest_pars_fragment:Vg,aomap_fragment:Gg,aomap_pars_fragment:Wg,batching_pars_vertex:Xg,batching_vertex:Yg,begin_vertex:qg,beginnormal_vertex:$g,bsdfs:Kg,iridescence_fragment:jg,bumpmap_pars_fragment:Zg,clipping_planes_fragment:Jg,clipping_planes_pars_fragment:Qg,clipping_planes_pars_vertex:t_,clipping_planes_vertex:e_,color_fragment:n_,color_pars_fragment:i_,color_pars_vertex:s_,color_vertex:r_,common:a_,cube_uv_reflection_fragment:o_,defaultnormal_vertex:l_,displacementmap_pars_vertex:c_,displacementmap_vertex:u_,emissivemap_fragment:h_,emissivemap_pars_fragment:f_,colorspace_fragment:d_,colorspace_pars_fragment:p_,envmap_fragment:m_,envmap_common_pars_fragment:g_,envmap_pars_fragment:__,envmap_pars_vertex:v_,envmap_physical_pars_fragment:C_,envmap_vertex:x_,fog_vertex:M_,fog_pars_vertex:S_,fog_fragment:y_,fog_pars_fragment:E_,gradientmap_pars_fragment:b_,lightmap_pars_fragment:T_,lights_lambert_fragment:w_,lights_lambert_pars_fragment:A_,lights_pars_begin:R_,lights_toon_fragment:P_,lights_toon_pars_fragment:D_,lights_phong_fragment:L_,lights_phong_pars_fragment:U_,lights_physical_fragment:I_,lights_physical_pars_fragment:N_,lights_fragment_begin:F_,lights_fragment_maps:O_,lights_fragment_end:B_,logdepthbuf_fragment:z_,logdepthbuf_pars_fragment:k_,logdepthbuf_pars_vertex:H_,logdepthbuf_vertex:V_,map_fragment:G_,map_pars_fragment:W_,map_particle_fragment:X_,map_particle_pars_fragment:Y_,metalnessmap_fragment:q_,metalnessmap_pars_fragment:$_,morphinstance_vertex:K_,morphcolor_vertex:j_,morphnormal_vertex:Z_,morphtarget_pars_vertex:J_,morphtarget_vertex:Q_,normal_fragment_begin:t0,normal_fragment_maps:e0,normal_pars_fragment:n0,normal_pars_vertex:i0,normal_vertex:s0,normalmap_pars_fragment:r0,clearcoat_normal_fragment_begin:a0,clearcoat_normal_fragment_maps:o0,clearcoat_pars_fragment:l0,iridescence_pars_fragment:c0,opaque_fragment:u0,packing:h0,premultiplied_alpha_fragment:f0,project_vertex:d0,dithering_fragment:p0,dithering_pars_fragment:m0,roughnessmap_fragment:g0,roughnessmap_pars_fragment:_0,shadowmap_pars_fragment:v0,shadowmap_pars_vertex:x0,shadowmap_vertex:M0,shadowmask_pars_fragment:S0,skinbase_vertex:y0,skinning_pars_vertex:E0,skinning_vertex:b0,skinnormal_vertex:T0,specularmap_fragment:w0,specularmap_pars_fragment:A0,tonemapping_fragment:R0,tonemapping_pars_fragment:C0,transmission_fragment:P0,transmission_pars_fragment:D0,uv_pars_fragment:L0,uv_pars_vertex:U0,uv_vertex:I0,worldpos_vertex:N0,background_vert:F0,background_frag:O0,backgroundCube_vert:B0,backgroundCube_frag:z0,cube_vert:k0,cube_frag:H0,depth_vert:V0,depth_frag:G0,distanceRGBA_vert:W0,distanceRGBA_frag:X0,equirect_vert:Y0,equirect_frag:q0,linedashed_vert:$0,linedashed_frag:K0,meshbasic_vert:j0,meshbasic_frag:Z0,meshlambert_vert:J0,meshlambert_frag:Q0,meshmatcap_vert:tv,meshmatcap_frag:ev,meshnormal_vert:nv,meshnormal_frag:iv,meshphong_vert:sv,meshphong_frag:rv,meshphysical_vert:av,meshphysical_frag:ov,meshtoon_vert:lv,meshtoon_frag:cv,points_vert:uv,points_frag:hv,shadow_vert:fv,shadow_frag:dv,sprite_vert:pv,sprite_frag:mv},Et={common:{diffuse:{value:new ae(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new ne},alphaMap:{value:null},alphaMapTransform:{value:new ne},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new ne}},envmap:{envMap:{value:null},envMapRotation:{value:new ne},flipEnvMap:{value:-1},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new ne}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new ne}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new ne},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new ne},normalScale:{value:new ie(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new ne},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new ne}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new ne}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new ne}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new ae(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMap:{value:[]},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotShadowMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMap:{value:[]},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null}},points:{diffuse:{value:new ae(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new ne},alphaTest:{value:0},uvTransform:{value:new ne}},sprite:{diffuse:{value:new ae(16777215)},opacity:{value:1},center:{value:new ie(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new ne},alphaMap:{value:null},alphaMapTransform:{value:new ne},alphaTest:{value:0}}},_i={basic:{uniforms:Tn([Et.common,Et.specularmap,Et.envmap,Et.aomap,Et.lightmap,Et.fog]),vertexShader:re.meshbasic_vert,fragmentShader:re.meshbasic_frag},lambert:{uniforms:Tn([Et.common,Et.specularmap,Et.envmap,Et.aomap,Et.lightmap,Et.emissivemap,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.fog,Et.lights,{emissive:{value:new ae(0)}}]),vertexShader:re.meshlambert_vert,fragmentShader:re.meshlambert_frag},phong:{uniforms:Tn([Et.common,Et.specularmap,Et.envmap,Et.aomap,Et.lightmap,Et.emissivemap,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.fog,Et.lights,{emissive:{value:new ae(0)},specular:{value:new ae(1118481)},shininess:{value:30}}]),vertexShader:re.meshphong_vert,fragmentShader:re.meshphong_frag},standard:{uniforms:Tn([Et.common,Et.envmap,Et.aomap,Et.lightmap,Et.emissivemap,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.roughnessmap,Et.metalnessmap,Et.fog,Et.lights,{emissive:{value:new ae(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:re.meshphysical_vert,fragmentShader:re.meshphysical_frag},toon:{uniforms:Tn([Et.common,Et.aomap,Et.lightmap,Et.emissivemap,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.gradientmap,Et.fog,Et.lights,{emissive:{value:new ae(0)}}]),vertexShader:re.meshtoon_vert,fragmentShader:re.meshtoon_frag},matcap:{uniforms:Tn([Et.common,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.fog,{matcap:{value:null}}]),vertexShader:re.meshmatcap_vert,fragmentShader:re.meshmatcap_frag},points:{uniforms:Tn([Et.points,Et.fog]),vertexShader:re.points_vert,fragmentShader:re.points_frag},dashed:{uniforms:Tn([Et.common,Et.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:re.linedashed_vert,fragmentShader:re.linedashed_frag},depth:{uniforms:Tn([Et.common,Et.displacementmap]),vertexShader:re.depth_vert,fragmentShader:re.depth_frag},normal:{uniforms:Tn([Et.common,Et.bumpmap,Et.normalmap,Et.displacementmap,{opacity:{value:1}}]),vertexShader:re.meshnormal_vert,fragmentShader:re.meshnormal_frag},sprite:{uniforms:Tn([Et.sprite,Et.fog]),vertexShader:re.sprite_vert,fragmentShader:re.sprite_frag},background:{uniforms:{uvTransform:{value:new ne},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:re.background_vert,fragmentShader:re.background_frag},backgroundCube:{uniforms:{envMap:{value:null},flipEnvMap:{value:-1},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new ne}},vertexShader:re.backgroundCube_vert,fragmentShader:re.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:re.cube_vert,fragmentShader:re.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:re.equirect_vert,fragmentShader:re.equirect_frag},distanceRGBA:{uniforms:Tn([Et.common,Et.displacementmap,{referencePosition:{value:new V},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:re.distanceRGBA_vert,fragmentShader:re.distanceRGBA_frag},shadow:{uniforms:Tn([Et.lights,Et.fog,{color:{value:new ae(0)},opacity:{value:1}}]),vertexShader:re.shadow_vert,fragmentShader:re.shadow_frag}};_i.physical={uniforms:Tn([_i.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new ne},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new ne},clearcoatNormalScale:{value:new ie(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new ne},dispersion:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new ne},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new ne},sheen:{value:0},sheenColor:{value:new ae(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new ne},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new ne},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new ne},transmissionSamplerSize:{value:new ie},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new ne},attenuationDistance:{value:0},attenuationColor:{value:new ae(0)},specularColor:{value:new ae(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new ne},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new ne},anisotropyVector:{value:new ie},anisotropyMap:{value:null},anisotropyMapTransform:{value:new ne}}]),vertexShader:re.meshphysical_vert,fragmentShader:re.meshphysical_frag};const eo={r:0,b:0,g:0},_s=new Ei,gv=new Ee;function _v(i,t,e,n,s,r,a){const o=new ae(0);let l=r===!0?0:1,c,u,h=null,f=0,p=null;function _(w){let S=w.isScene===!0?w.background:null;return S&&S.isTexture&&(S=(w.backgroundBlurriness>0?e:t).get(S)),S}function x(w){let S=!1;const L=_(w);L===null?d(o,l):L&&L.isColor&&(d(L,1),S=!0);const R=i.xr.getEnvironmentBlendMode();R==="additive"?n.buffers.color.setClear(0,0,0,1,a):R==="alpha-blend"&&n.buffers.color.setClear(0,0,0,0,a),(i.autoClear||S)&&(n.buffers.depth.setTest(!0),n.buffers.depth.setMask(!0),n.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function m(w,S){const L=_(S);L&&(L.isCubeTexture||L.mapping===Co)?(u===void 0&&(u=new zn(new Ps(1,1,1),new Bi({name:"BackgroundCubeMaterial",uniforms:Sr(_i.backgroundCube.uniforms),vertexShader:_i.backgroundCube.vertexShader,fragmentShader:_i.backgroundCube.fragmentShader,side:An,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),u.geometry.deleteAttribute("normal"),u.geometry.deleteAttribute("uv"),u.onBeforeRender=function(R,U,F){this.matrixWorld.copyPosition(F.matrixWorld)},Object.defineProperty(u.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),s.update(u)),_s.copy(S.backgroundRotation),_s.x*=-1,_s.y*=-1,_s.z*=-1,L.isCubeTexture&&L.isRenderTargetTexture===!1&&(_s.y*=-1,_s.z*=-1),u.material.uniforms.envMap.value=L,u.material.uniforms.flipEnvMap.value=L.isCubeTexture&&L.isRenderTargetTexture===!1?-1:1,u.material.uniforms.backgroundBlurriness.value=S.backgroundBlurriness,u.material.uniforms.backgroundIntensity.value=S.backgroundIntensity,u.material.uniforms.backgroundRotation.value.setFromMatrix4(gv.makeRotationFromEuler(_s)),u.material.toneMapped=fe.getTransfer(L.colorSpace)!==we,(h!==L||f!==L.version||p!==i.toneMapping)&&(u.material.needsUpdate=!0,h=L,f=L.version,p=i.toneMapping),u.layers.enableAll(),w.unshift(u,u.geometry,u.material,0,0,null)):L&&L.isTexture&&(c===void 0&&(c=new zn(new Ma(2,2),new Bi({name:"BackgroundMaterial",uniforms:Sr(_i.background.uniforms),vertexShader:_i.background.vertexShader,fragmentShader:_i.background.fragmentShader,side:Oi,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),s.update(c)),c.material.uniforms.t2D.value=L,c.material.uniforms.backgroundIntensity.value=S.backgroundIntensity,c.material.toneMapped=fe.getTransfer(L.colorSpace)!==we,L.matrixAutoUpdate===!0&&L.updateMatrix(),c.material.uniforms.uvTransform.value.copy(L.matrix),(h!==L||f!==L.version||p!==i.toneMapping)&&(c.material.needsUpdate=!0,h=L,f=L.version,p=i.toneMapping),c.layers.enableAll(),w.unshift(c,c.geometry,c.material,0,0,null))}function d(w,S){w.getRGB(eo,Ad(i)),n.buffers.color.setClear(eo.r,eo.g,eo.b,S,a)}function T(){u!==void 0&&(u.geometry.dispose(),u.material.dispose(),u=void 0),c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0)}return{getClearColor:function(){return o},setClearColor:function(w,S=1){o.set(w),l=S,d(o,l)},getClearAlpha:function(){return l},setClearAlpha:function(w){l=w,d(o,l)},render:x,addToRenderList:m,dispose:T}}function vv(i,t){const e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=f(null);let r=s,a=!1;function o(E,C,z,H,Y){let W=!1;const $=h(H,z,C);r!==$&&(r=$,c(r.object)),W=p(E,H,z,Y),W&&_(E,H,z,Y),Y!==null&&t.update(Y,i.ELEMENT_ARRAY_BUFFER),(W||a)&&(a=!1,S(E,C,z,H),Y!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(Y).buffer))}function l(){return i.createVertexArray()}function c(E){return i.bindVertexArray(E)}function u(E){return i.deleteVertexArray(E)}function h(E,C,z){const H=z.wireframe===!0;let Y=n[E.id];Y===void 0&&(Y={},n[E.id]=Y);let W=Y[C.id];W===void 0&&(W={},Y[C.id]=W);let $=W[H];return $===void 0&&($=f(l()),W[H]=$),$}function f(E){const C=[],z=[],H=[];for(let Y=0;Y<e;Y++)C[Y]=0,z[Y]=0,H[Y]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:C,enabledAttributes:z,attributeDivisors:H,object:E,attributes:{},index:null}}function p(E,C,z,H){const Y=r.attributes,W=C.attributes;let $=0;const q=z.getAttributes();for(const J in q)if(q[J].location>=0){const lt=Y[J];let vt=W[J];if(vt===void 0&&(J==="instanceMatrix"&&E.instanceMatrix&&(vt=E.instanceMatrix),J==="instanceColor"&&E.instanceColor&&(vt=E.instanceColor)),lt===void 0||lt.attribute!==vt||vt&&lt.data!==vt.data)return!0;$++}return r.attributesNum!==$||r.index!==H}function _(E,C,z,H){const Y={},W=C.attributes;let $=0;const q=z.getAttributes();for(const J in q)if(q[J].location>=0){let lt=W[J];lt===void 0&&(J==="instanceMatrix"&&E.instanceMatrix&&(lt=E.instanceMatrix),J==="instanceColor"&&E.instanceColor&&(lt=E.instanceColor));const vt={};vt.attribute=lt,lt&&lt.data&&(vt.data=lt.data),Y[J]=vt,$++}r.attributes=Y,r.attributesNum=$,r.index=H}function x(){const E=r.newAttributes;for(let C=0,z=E.length;C<z;C++)E[C]=0}function m(E){d(E,0)}function d(E,C){const z=r.newAttributes,H=r.enabledAttributes,Y=r.attributeDivisors;z[E]=1,H[E]===0&&(i.enableVertexAttribArray(E),H[E]=1),Y[E]!==C&&(i.vertexAttribDivisor(E,C),Y[E]=C)}function T(){const E=r.newAttributes,C=r.enabledAttributes;for(let z=0,H=C.length;z<H;z++)C[z]!==E[z]&&(i.disableVertexAttribArray(z),C[z]=0)}function w(E,C,z,H,Y,W,$){$===!0?i.vertexAttribIPointer(E,C,z,Y,W):i.vertexAttribPointer(E,C,z,H,Y,W)}function S(E,C,z,H){x();const Y=H.attributes,W=z.getAttributes(),$=C.defaultAttributeValues;for(const q in W){const J=W[q];if(J.location>=0){let ot=Y[q];if(ot===void 0&&(q==="instanceMatrix"&&E.instanceMatrix&&(ot=E.instanceMatrix),q==="instanceColor"&&E.instanceColor&&(ot=E.instanceColor)),ot!==void 0){const lt=ot.normalized,vt=ot.itemSize,St=t.get(ot);if(St===void 0)continue;const _t=St.buffer,te=St.type,jt=St.bytesPerElement,Q=te===i.INT||te===i.UNSIGNED_INT||ot.gpuType===$c;if(ot.isInterleavedBufferAttribute){const nt=ot.data,bt=nt.stride,zt=ot.offset;if(nt.isInstancedInterleavedBuffer){for(let xt=0;xt<J.locationSize;xt++)d(J.location+xt,nt.meshPerAttribute);E.isInstancedMesh!==!0&&H._maxInstanceCount===void 0&&(H._maxInstanceCount=nt.meshPerAttribute*nt.count)}else for(let xt=0;xt<J.locationSize;xt++)m(J.location+xt);i.bindBuffer(i.ARRAY_BUFFER,_t);for(let xt=0;xt<J.locationSize;xt++)w(J.location+xt,vt/J.locationSize,te,lt,bt*jt,(zt+vt/J.locationSize*xt)*jt,Q)}else{if(ot.isInstancedBufferAttribute){for(let nt=0;nt<J.locationSize;nt++)d(J.location+nt,ot.meshPerAttribute);E.isInstancedMesh!==!0&&H._maxInstanceCount===void 0&&(H._maxInstanceCount=ot.meshPerAttribute*ot.count)}else for(let nt=0;nt<J.locationSize;nt++)m(J.location+nt);i.bindBuffer(i.ARRAY_BUFFER,_t);for(let nt=0;nt<J.locationSize;nt++)w(J.location+nt,vt/J.locationSize,te,lt,vt*jt,vt/J.locationSize*nt*jt,Q)}}else if($!==void 0){const lt=$[q];if(lt!==void 0)switch(lt.length){case 2:i.vertexAttrib2fv(J.location,lt);break;case 3:i.vertexAttrib3fv(J.location,lt);break;case 4:i.vertexAttrib4fv(J.location,lt);break;default:i.vertexAttrib1fv(J.location,lt)}}}}T()}function L(){F();for(const E in n){const C=n[E];for(const z in C){const H=C[z];for(const Y in H)u(H[Y].object),delete H[Y];delete C[z]}delete n[E]}}function R(E){if(n[E.id]===void 0)return;const C=n[E.id];for(const z in C){const H=C[z];for(const Y in H)u(H[Y].object),delete H[Y];delete C[z]}delete n[E.id]}function U(E){for(const C in n){const z=n[C];if(z[E.id]===void 0)continue;const H=z[E.id];for(const Y in H)u(H[Y].object),delete H[Y];delete z[E.id]}}function F(){b(),a=!0,r!==s&&(r=s,c(r.object))}function b(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:o,reset:F,resetDefaultState:b,dispose:L,releaseStatesOfGeometry:R,releaseStatesOfProgram:U,initAttributes:x,enableAttribute:m,disableUnusedAttributes:T}}function xv(i,t,e){let n;function s(c){n=c}function r(c,u){i.drawArrays(n,c,u),e.update(u,n,1)}function a(c,u,h){h!==0&&(i.drawArraysInstanced(n,c,u,h),e.update(u,n,h))}function o(c,u,h){if(h===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,c,0,u,0,h);let p=0;for(let _=0;_<h;_++)p+=u[_];e.update(p,n,1)}function l(c,u,h,f){if(h===0)return;const p=t.get("WEBGL_multi_draw");if(p===null)for(let _=0;_<c.length;_++)a(c[_],u[_],f[_]);else{p.multiDrawArraysInstancedWEBGL(n,c,0,u,0,f,0,h);let _=0;for(let x=0;x<h;x++)_+=u[x]*f[x];e.update(_,n,1)}}this.setMode=s,this.render=r,this.renderInstances=a,this.renderMultiDraw=o,this.renderMultiDrawInstances=l}function Mv(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){const U=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(U.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function a(U){return!(U!==ci&&n.convert(U)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function o(U){const F=U===xa&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(U!==yi&&n.convert(U)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE)&&U!==xi&&!F)}function l(U){if(U==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";U="mediump"}return U==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=e.precision!==void 0?e.precision:"highp";const u=l(c);u!==c&&(console.warn("THREE.WebGLRenderer:",c,"not supported, using",u,"instead."),c=u);const h=e.logarithmicDepthBuffer===!0,f=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),p=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),_=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),x=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),d=i.getParameter(i.MAX_VERTEX_ATTRIBS),T=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),w=i.getParameter(i.MAX_VARYING_VECTORS),S=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),L=_>0,R=i.getParameter(i.MAX_SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:a,textureTypeReadable:o,precision:c,logarithmicDepthBuffer:h,reversedDepthBuffer:f,maxTextures:p,maxVertexTextures:_,maxTextureSize:x,maxCubemapSize:m,maxAttributes:d,maxVertexUniforms:T,maxVaryings:w,maxFragmentUniforms:S,vertexTextures:L,maxSamples:R}}function Sv(i){const t=this;let e=null,n=0,s=!1,r=!1;const a=new Ji,o=new ne,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(h,f){const p=h.length!==0||f||n!==0||s;return s=f,n=h.length,p},this.beginShadows=function(){r=!0,u(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(h,f){e=u(h,f,0)},this.setState=function(h,f,p){const _=h.clippingPlanes,x=h.clipIntersection,m=h.clipShadows,d=i.get(h);if(!s||_===null||_.length===0||r&&!m)r?u(null):c();else{const T=r?0:n,w=T*4;let S=d.clippingState||null;l.value=S,S=u(_,f,w,p);for(let L=0;L!==w;++L)S[L]=e[L];d.clippingState=S,this.numIntersection=x?this.numPlanes:0,this.numPlanes+=T}};function c(){l.value!==e&&(l.value=e,l.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function u(h,f,p,_){const x=h!==null?h.length:0;let m=null;if(x!==0){if(m=l.value,_!==!0||m===null){const d=p+x*4,T=f.matrixWorldInverse;o.getNormalMatrix(T),(m===null||m.length<d)&&(m=new Float32Array(d));for(let w=0,S=p;w!==x;++w,S+=4)a.copy(h[w]).applyMatrix4(T,o),a.normal.toArray(m,S),m[S+3]=a.constant}l.value=m,l.needsUpdate=!0}return t.numPlanes=x,t.numIntersection=0,m}}function yv(i){let t=new WeakMap;function e(a,o){return o===jl?a.mapping=xr:o===Zl&&(a.mapping=Mr),a}function n(a){if(a&&a.isTexture){const o=a.mapping;if(o===jl||o===Zl)if(t.has(a)){const l=t.get(a).texture;return e(l,a.mapping)}else{const l=a.image;if(l&&l.height>0){const c=new pg(l.height);return c.fromEquirectangularTexture(i,a),t.set(a,c),a.addEventListener("dispose",s),e(c.texture,a.mapping)}else return null}}return a}function s(a){const o=a.target;o.removeEventListener("dispose",s);const l=t.get(o);l!==void 0&&(t.delete(o),l.dispose())}function r(){t=new WeakMap}return{get:n,dispose:r}}const fr=4,Ih=[.125,.215,.35,.446,.526,.582],Es=20,wl=new cu,Nh=new ae;let Al=null,Rl=0,Cl=0,Pl=!1;const xs=(1+Math.sqrt(5))/2,lr=1/xs,Fh=[new V(-xs,lr,0),new V(xs,lr,0),new V(-lr,0,xs),new V(lr,0,xs),new V(0,xs,-lr),new V(0,xs,lr),new V(-1,1,-1),new V(1,1,-1),new V(-1,1,1),new V(1,1,1)],Ev=new V;class Oh{constructor(t){this._renderer=t,this._pingPongRenderTarget=null,this._lodMax=0,this._cubeSize=0,this._lodPlanes=[],this._sizeLods=[],this._sigmas=[],this._blurMaterial=null,this._cubemapMaterial=null,this._equirectMaterial=null,this._compileMaterial(this._blurMaterial)}fromScene(t,e=0,n=.1,s=100,r={}){const{size:a=256,position:o=Ev}=r;Al=this._renderer.getRenderTarget(),Rl=this._renderer.getActiveCubeFace(),Cl=this._renderer.getActiveMipmapLevel(),Pl=this._renderer.xr.enabled,this._renderer.xr.enabled=!1,this._setSize(a);const l=this._allocateTargets();return l.depthBuffer=!0,this._sceneToCubeUV(t,n,s,l,o),e>0&&this._blur(l,0,0,e),this._applyPMREM(l),this._cleanup(l),l}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=kh(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=zh(),this._compileMaterial(this._equirectMaterial))}dispose(){this._dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose()}_setSize(t){this._lodMax=Math.floor(Math.log2(t)),this._cubeSize=Math.pow(2,this._lodMax)}_dispose(){this._blurMaterial!==null&&this._blurMaterial.dispose(),this._pingPongRenderTarget!==null&&this._pingPongRenderTarget.dispose();for(let t=0;t<this._lodPlanes.length;t++)this._lodPlanes[t].dispose()}_cleanup(t){this._renderer.setRenderTarget(Al,Rl,Cl),this._renderer.xr.enabled=Pl,t.scissorTest=!1,no(t,0,0,t.width,t.height)}_fromTexture(t,e){t.mapping===xr||t.mapping===Mr?this._setSize(t.image.length===0?16:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4),Al=this._renderer.getRenderTarget(),Rl=this._renderer.getActiveCubeFace(),Cl=this._renderer.getActiveMipmapLevel(),Pl=this._renderer.xr.enabled,this._renderer.xr.enabled=!1;const n=e||this._allocateTargets();return this._textureToCubeUV(t,n),this._applyPMREM(n),this._cleanup(n),n}_allocateTargets(){const t=3*Math.max(this._cubeSize,112),e=4*this._cubeSize,n={magFilter:li,minFilter:li,generateMipmaps:!1,type:xa,format:ci,colorSpace:Cs,depthBuffer:!1},s=Bh(t,e,n);if(this._pingPongRenderTarget===null||this._pingPongRenderTarget.width!==t||this._pingPongRenderTarget.height!==e){this._pingPongRenderTarget!==null&&this._dispose(),this._pingPongRenderTarget=Bh(t,e,n);const{_lodMax:r}=this;({sizeLods:this._sizeLods,lodPlanes:this._lodPlanes,sigmas:this._sigmas}=bv(r)),this._blurMaterial=Tv(r,t,e)}return s}_compileMaterial(t){const e=new zn(this._lodPlanes[0],t);this._renderer.compile(e,wl)}_sceneToCubeUV(t,e,n,s,r){const l=new Pn(90,1,e,n),c=[1,-1,1,1,1,1],u=[1,1,1,-1,-1,-1],h=this._renderer,f=h.autoClear,p=h.toneMapping;h.getClearColor(Nh),h.toneMapping=is,h.autoClear=!1,h.state.buffers.depth.getReversed()&&(h.setRenderTarget(s),h.clearDepth(),h.setRenderTarget(null));const x=new bd({name:"PMREM.Background",side:An,depthWrite:!1,depthTest:!1}),m=new zn(new Ps,x);let d=!1;const T=t.background;T?T.isColor&&(x.color.copy(T),t.background=null,d=!0):(x.color.copy(Nh),d=!0);for(let w=0;w<6;w++){const S=w%3;S===0?(l.up.set(0,c[w],0),l.position.set(r.x,r.y,r.z),l.lookAt(r.x+u[w],r.y,r.z)):S===1?(l.up.set(0,0,c[w]),l.position.set(r.x,r.y,r.z),l.lookAt(r.x,r.y+u[w],r.z)):(l.up.set(0,c[w],0),l.position.set(r.x,r.y,r.z),l.lookAt(r.x,r.y,r.z+u[w]));const L=this._cubeSize;no(s,S*L,w>2?L:0,L,L),h.setRenderTarget(s),d&&h.render(m,l),h.render(t,l)}m.geometry.dispose(),m.material.dispose(),h.toneMapping=p,h.autoClear=f,t.background=T}_textureToCubeUV(t,e){const n=this._renderer,s=t.mapping===xr||t.mapping===Mr;s?(this._cubemapMaterial===null&&(this._cubemapMaterial=kh()),this._cubemapMaterial.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):this._equirectMaterial===null&&(this._equirectMaterial=zh());const r=s?this._cubemapMaterial:this._equirectMaterial,a=new zn(this._lodPlanes[0],r),o=r.uniforms;o.envMap.value=t;const l=this._cubeSize;no(e,0,0,3*l,2*l),n.setRenderTarget(e),n.render(a,wl)}_applyPMREM(t){const e=this._renderer,n=e.autoClear;e.autoClear=!1;const s=this._lodPlanes.length;for(let r=1;r<s;r++){const a=Math.sqrt(this._sigmas[r]*this._sigmas[r]-this._sigmas[r-1]*this._sigmas[r-1]),o=Fh[(s-r-1)%Fh.length];this._blur(t,r-1,r,a,o)}e.autoClear=n}_blur(t,e,n,s,r){const a=this._pingPongRenderTarget;this._halfBlur(t,a,e,n,s,"latitudinal",r),this._halfBlur(a,t,n,n,s,"longitudinal",r)}_halfBlur(t,e,n,s,r,a,o){const l=this._renderer,c=this._blurMaterial;a!=="latitudinal"&&a!=="longitudinal"&&console.error("blur direction must be either latitudinal or longitudinal!");const u=3,h=new zn(this._lodPlanes[s],c),f=c.uniforms,p=this._sizeLods[n]-1,_=isFinite(r)?Math.PI/(2*p):2*Math.PI/(2*Es-1),x=r/_,m=isFinite(r)?1+Math.floor(u*x):Es;m>Es&&console.warn(`sigmaRadians, ${r}, is too large and will clip, as it requested ${m} samples when the maximum is set to ${Es}`);const d=[];let T=0;for(let U=0;U<Es;++U){const F=U/x,b=Math.exp(-F*F/2);d.push(b),U===0?T+=b:U<m&&(T+=2*b)}for(let U=0;U<d.length;U++)d[U]=d[U]/T;f.envMap.value=t.texture,f.samples.value=m,f.weights.value=d,f.latitudinal.value=a==="latitudinal",o&&(f.poleAxis.value=o);const{_lodMax:w}=this;f.dTheta.value=_,f.mipInt.value=w-n;const S=this._sizeLods[s],L=3*S*(s>w-fr?s-w+fr:0),R=4*(this._cubeSize-S);no(e,L,R,3*S,2*S),l.setRenderTarget(e),l.render(h,wl)}}function bv(i){const t=[],e=[],n=[];let s=i;const r=i-fr+1+Ih.length;for(let a=0;a<r;a++){const o=Math.pow(2,s);e.push(o);let l=1/o;a>i-fr?l=Ih[a-i+fr-1]:a===0&&(l=0),n.push(l);const c=1/(o-2),u=-c,h=1+c,f=[u,u,h,u,h,h,u,u,h,h,u,h],p=6,_=6,x=3,m=2,d=1,T=new Float32Array(x*_*p),w=new Float32Array(m*_*p),S=new Float32Array(d*_*p);for(let R=0;R<p;R++){const U=R%3*2/3-1,F=R>2?0:-1,b=[U,F,0,U+2/3,F,0,U+2/3,F+1,0,U,F,0,U+2/3,F+1,0,U,F+1,0];T.set(b,x*_*R),w.set(f,m*_*R);const E=[R,R,R,R,R,R];S.set(E,d*_*R)}const L=new Je;L.setAttribute("position",new un(T,x)),L.setAttribute("uv",new un(w,m)),L.setAttribute("faceIndex",new un(S,d)),t.push(L),s>fr&&s--}return{lodPlanes:t,sizeLods:e,sigmas:n}}function Bh(i,t,e){const n=new rs(i,t,e);return n.texture.mapping=Co,n.texture.name="PMREM.cubeUv",n.scissorTest=!0,n}function no(i,t,e,n,s){i.viewport.set(t,e,n,s),i.scissor.set(t,e,n,s)}function Tv(i,t,e){const n=new Float32Array(Es),s=new V(0,1,0);return new Bi({name:"SphericalGaussianBlur",defines:{n:Es,CUBEUV_TEXEL_WIDTH:1/t,CUBEUV_TEXEL_HEIGHT:1/e,CUBEUV_MAX_MIP:`${i}.0`},uniforms:{envMap:{value:null},samples:{value:1},weights:{value:n},latitudinal:{value:!1},dTheta:{value:0},mipInt:{value:0},poleAxis:{value:s}},vertexShader:uu(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			varying vec3 vOutputDirection;

			uniform sampler2D envMap;
			uniform int samples;
			uniform float weights[ n ];
			uniform bool latitudinal;
			uniform float dTheta;
			uniform float mipInt;
			uniform vec3 poleAxis;

			#define ENVMAP_TYPE_CUBE_UV
			#include <cube_uv_reflection_fragment>

			vec3 getSample( float theta, vec3 axis ) {

				float cosTheta = cos( theta );
				// Rodrigues' axis-angle rotation
				vec3 sampleDirection = vOutputDirection * cosTheta
					+ cross( axis, vOutputDirection ) * sin( theta )
					+ axis * dot( axis, vOutputDirection ) * ( 1.0 - cosTheta );

				return bilinearCubeUV( envMap, sampleDirection, mipInt );

			}

			void main() {

				vec3 axis = latitudinal ? poleAxis : cross( poleAxis, vOutputDirection );

				if ( all( equal( axis, vec3( 0.0 ) ) ) ) {

					axis = vec3( vOutputDirection.z, 0.0, - vOutputDirection.x );

				}

				axis = normalize( axis );

				gl_FragColor = vec4( 0.0, 0.0, 0.0, 1.0 );
				gl_FragColor.rgb += weights[ 0 ] * getSample( 0.0, axis );

				for ( int i = 1; i < n; i++ ) {

					if ( i >= samples ) {

						break;

					}

					float theta = dTheta * float( i );
					gl_FragColor.rgb += weights[ i ] * getSample( -1.0 * theta, axis );
					gl_FragColor.rgb += weights[ i ] * getSample( theta, axis );

				}

			}
		`,blending:ns,depthTest:!1,depthWrite:!1})}function zh(){return new Bi({name:"EquirectangularToCubeUV",uniforms:{envMap:{value:null}},vertexShader:uu(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			varying vec3 vOutputDirection;

			uniform sampler2D envMap;

			#include <common>

			void main() {

				vec3 outputDirection = normalize( vOutputDirection );
				vec2 uv = equirectUv( outputDirection );

				gl_FragColor = vec4( texture2D ( envMap, uv ).rgb, 1.0 );

			}
		`,blending:ns,depthTest:!1,depthWrite:!1})}function kh(){return new Bi({name:"CubemapToCubeUV",uniforms:{envMap:{value:null},flipEnvMap:{value:-1}},vertexShader:uu(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			uniform float flipEnvMap;

			varying vec3 vOutputDirection;

			uniform samplerCube envMap;

			void main() {

				gl_FragColor = textureCube( envMap, vec3( flipEnvMap * vOutputDirection.x, vOutputDirection.yz ) );

			}
		`,blending:ns,depthTest:!1,depthWrite:!1})}function uu(){return`

		precision mediump float;
		precision mediump int;

		attribute float faceIndex;

		varying vec3 vOutputDirection;

		// RH coordinate system; PMREM face-indexing convention
		vec3 getDirection( vec2 uv, float face ) {

			uv = 2.0 * uv - 1.0;

			vec3 direction = vec3( uv, 1.0 );

			if ( face == 0.0 ) {

				direction = direction.zyx; // ( 1, v, u ) pos x

			} else if ( face == 1.0 ) {

				direction = direction.xzy;
				direction.xz *= -1.0; // ( -u, 1, -v ) pos y

			} else if ( face == 2.0 ) {

				direction.x *= -1.0; // ( -u, v, 1 ) pos z

			} else if ( face == 3.0 ) {

				direction = direction.zyx;
				direction.xz *= -1.0; // ( -1, v, -u ) neg x

			} else if ( face == 4.0 ) {

				direction = direction.xzy;
				direction.xy *= -1.0; // ( -u, -1, v ) neg y

			} else if ( face == 5.0 ) {

				direction.z *= -1.0; // ( u, v, -1 ) neg z

			}

			return direction;

		}

		void main() {

			vOutputDirection = getDirection( uv, faceIndex );
			gl_Position = vec4( position, 1.0 );

		}
	`}function wv(i){let t=new WeakMap,e=null;function n(o){if(o&&o.isTexture){const l=o.mapping,c=l===jl||l===Zl,u=l===xr||l===Mr;if(c||u){let h=t.get(o);const f=h!==void 0?h.texture.pmremVersion:0;if(o.isRenderTargetTexture&&o.pmremVersion!==f)return e===null&&(e=new Oh(i)),h=c?e.fromEquirectangular(o,h):e.fromCubemap(o,h),h.texture.pmremVersion=o.pmremVersion,t.set(o,h),h.texture;if(h!==void 0)return h.texture;{const p=o.image;return c&&p&&p.height>0||u&&p&&s(p)?(e===null&&(e=new Oh(i)),h=c?e.fromEquirectangular(o):e.fromCubemap(o),h.texture.pmremVersion=o.pmremVersion,t.set(o,h),o.addEventListener("dispose",r),h.texture):null}}}return o}function s(o){let l=0;const c=6;for(let u=0;u<c;u++)o[u]!==void 0&&l++;return l===c}function r(o){const l=o.target;l.removeEventListener("dispose",r);const c=t.get(l);c!==void 0&&(t.delete(l),c.dispose())}function a(){t=new WeakMap,e!==null&&(e.dispose(),e=null)}return{get:n,dispose:a}}function Av(i){const t={};function e(n){if(t[n]!==void 0)return t[n];let s;switch(n){case"WEBGL_depth_texture":s=i.getExtension("WEBGL_depth_texture")||i.getExtension("MOZ_WEBGL_depth_texture")||i.getExtension("WEBKIT_WEBGL_depth_texture");break;case"EXT_texture_filter_anisotropic":s=i.getExtension("EXT_texture_filter_anisotropic")||i.getExtension("MOZ_EXT_texture_filter_anisotropic")||i.getExtension("WEBKIT_EXT_texture_filter_anisotropic");break;case"WEBGL_compressed_texture_s3tc":s=i.getExtension("WEBGL_compressed_texture_s3tc")||i.getExtension("MOZ_WEBGL_compressed_texture_s3tc")||i.getExtension("WEBKIT_WEBGL_compressed_texture_s3tc");break;case"WEBGL_compressed_texture_pvrtc":s=i.getExtension("WEBGL_compressed_texture_pvrtc")||i.getExtension("WEBKIT_WEBGL_compressed_texture_pvrtc");break;default:s=i.getExtension(n)}return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){const s=e(n);return s===null&&da("THREE.WebGLRenderer: "+n+" extension not supported."),s}}}function Rv(i,t,e,n){const s={},r=new WeakMap;function a(h){const f=h.target;f.index!==null&&t.remove(f.index);for(const _ in f.attributes)t.remove(f.attributes[_]);f.removeEventListener("dispose",a),delete s[f.id];const p=r.get(f);p&&(t.remove(p),r.delete(f)),n.releaseStatesOfGeometry(f),f.isInstancedBufferGeometry===!0&&delete f._maxInstanceCount,e.memory.geometries--}function o(h,f){return s[f.id]===!0||(f.addEventListener("dispose",a),s[f.id]=!0,e.memory.geometries++),f}function l(h){const f=h.attributes;for(const p in f)t.update(f[p],i.ARRAY_BUFFER)}function c(h){const f=[],p=h.index,_=h.attributes.position;let x=0;if(p!==null){const T=p.array;x=p.version;for(let w=0,S=T.length;w<S;w+=3){const L=T[w+0],R=T[w+1],U=T[w+2];f.push(L,R,R,U,U,L)}}else if(_!==void 0){const T=_.array;x=_.version;for(let w=0,S=T.length/3-1;w<S;w+=3){const L=w+0,R=w+1,U=w+2;f.push(L,R,R,U,U,L)}}else return;const m=new(Sd(f)?wd:Td)(f,1);m.version=x;const d=r.get(h);d&&t.remove(d),r.set(h,m)}function u(h){const f=r.get(h);if(f){const p=h.index;p!==null&&f.version<p.version&&c(h)}else c(h);return r.get(h)}return{get:o,update:l,getWireframeAttribute:u}}function Cv(i,t,e){let n;function s(f){n=f}let r,a;function o(f){r=f.type,a=f.bytesPerElement}function l(f,p){i.drawElements(n,p,r,f*a),e.update(p,n,1)}function c(f,p,_){_!==0&&(i.drawElementsInstanced(n,p,r,f*a,_),e.update(p,n,_))}function u(f,p,_){if(_===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,p,0,r,f,0,_);let m=0;for(let d=0;d<_;d++)m+=p[d];e.update(m,n,1)}function h(f,p,_,x){if(_===0)return;const m=t.get("WEBGL_multi_draw");if(m===null)for(let d=0;d<f.length;d++)c(f[d]/a,p[d],x[d]);else{m.multiDrawElementsInstancedWEBGL(n,p,0,r,f,0,x,0,_);let d=0;for(let T=0;T<_;T++)d+=p[T]*x[T];e.update(d,n,1)}}this.setMode=s,this.setIndex=o,this.render=l,this.renderInstances=c,this.renderMultiDraw=u,this.renderMultiDrawInstances=h}function Pv(i){const t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,a,o){switch(e.calls++,a){case i.TRIANGLES:e.triangles+=o*(r/3);break;case i.LINES:e.lines+=o*(r/2);break;case i.LINE_STRIP:e.lines+=o*(r-1);break;case i.LINE_LOOP:e.lines+=o*r;break;case i.POINTS:e.points+=o*r;break;default:console.error("THREE.WebGLInfo: Unknown draw mode:",a);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function Dv(i,t,e){const n=new WeakMap,s=new Ge;function r(a,o,l){const c=a.morphTargetInfluences,u=o.morphAttributes.position||o.morphAttributes.normal||o.morphAttributes.color,h=u!==void 0?u.length:0;let f=n.get(o);if(f===void 0||f.count!==h){let E=function(){F.dispose(),n.delete(o),o.removeEventListener("dispose",E)};var p=E;f!==void 0&&f.texture.dispose();const _=o.morphAttributes.position!==void 0,x=o.morphAttributes.normal!==void 0,m=o.morphAttributes.color!==void 0,d=o.morphAttributes.position||[],T=o.morphAttributes.normal||[],w=o.morphAttributes.color||[];let S=0;_===!0&&(S=1),x===!0&&(S=2),m===!0&&(S=3);let L=o.attributes.position.count*S,R=1;L>t.maxTextureSize&&(R=Math.ceil(L/t.maxTextureSize),L=t.maxTextureSize);const U=new Float32Array(L*R*4*h),F=new yd(U,L,R,h);F.type=xi,F.needsUpdate=!0;const b=S*4;for(let C=0;C<h;C++){const z=d[C],H=T[C],Y=w[C],W=L*R*4*C;for(let $=0;$<z.count;$++){const q=$*b;_===!0&&(s.fromBufferAttribute(z,$),U[W+q+0]=s.x,U[W+q+1]=s.y,U[W+q+2]=s.z,U[W+q+3]=0),x===!0&&(s.fromBufferAttribute(H,$),U[W+q+4]=s.x,U[W+q+5]=s.y,U[W+q+6]=s.z,U[W+q+7]=0),m===!0&&(s.fromBufferAttribute(Y,$),U[W+q+8]=s.x,U[W+q+9]=s.y,U[W+q+10]=s.z,U[W+q+11]=Y.itemSize===4?s.w:1)}}f={count:h,texture:F,size:new ie(L,R)},n.set(o,f),o.addEventListener("dispose",E)}if(a.isInstancedMesh===!0&&a.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",a.morphTexture,e);else{let _=0;for(let m=0;m<c.length;m++)_+=c[m];const x=o.morphTargetsRelative?1:1-_;l.getUniforms().setValue(i,"morphTargetBaseInfluence",x),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",f.texture,e),l.getUniforms().setValue(i,"morphTargetsTextureSize",f.size)}return{update:r}}function Lv(i,t,e,n){let s=new WeakMap;function r(l){const c=n.render.frame,u=l.geometry,h=t.get(l,u);if(s.get(h)!==c&&(t.update(h),s.set(h,c)),l.isInstancedMesh&&(l.hasEventListener("dispose",o)===!1&&l.addEventListener("dispose",o),s.get(l)!==c&&(e.update(l.instanceMatrix,i.ARRAY_BUFFER),l.instanceColor!==null&&e.update(l.instanceColor,i.ARRAY_BUFFER),s.set(l,c))),l.isSkinnedMesh){const f=l.skeleton;s.get(f)!==c&&(f.update(),s.set(f,c))}return h}function a(){s=new WeakMap}function o(l){const c=l.target;c.removeEventListener("dispose",o),e.remove(c.instanceMatrix),c.instanceColor!==null&&e.remove(c.instanceColor)}return{update:r,dispose:a}}const Bd=new gn,Hh=new Id(1,1),zd=new yd,kd=new Zm,Hd=new su,Vh=[],Gh=[],Wh=new Float32Array(16),Xh=new Float32Array(9),Yh=new Float32Array(4);function Cr(i,t,e){const n=i[0];if(n<=0||n>0)return i;const s=t*e;let r=Vh[s];if(r===void 0&&(r=new Float32Array(s),Vh[s]=r),t!==0){n.toArray(r,0);for(let a=1,o=0;a!==t;++a)o+=e,i[a].toArray(r,o)}return r}function Qe(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function tn(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function Po(i,t){let e=Gh[t];e===void 0&&(e=new Int32Array(t),Gh[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function Uv(i,t){const e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function Iv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Qe(e,t))return;i.uniform2fv(this.addr,t),tn(e,t)}}function Nv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(Qe(e,t))return;i.uniform3fv(this.addr,t),tn(e,t)}}function Fv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Qe(e,t))return;i.uniform4fv(this.addr,t),tn(e,t)}}function Ov(i,t){const e=this.cache,n=t.elements;if(n===void 0){if(Qe(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),tn(e,t)}else{if(Qe(e,n))return;Yh.set(n),i.uniformMatrix2fv(this.addr,!1,Yh),tn(e,n)}}function Bv(i,t){const e=this.cache,n=t.elements;if(n===void 0){if(Qe(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),tn(e,t)}else{if(Qe(e,n))return;Xh.set(n),i.uniformMatrix3fv(this.addr,!1,Xh),tn(e,n)}}function zv(i,t){const e=this.cache,n=t.elements;if(n===void 0){if(Qe(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),tn(e,t)}else{if(Qe(e,n))return;Wh.set(n),i.uniformMatrix4fv(this.addr,!1,Wh),tn(e,n)}}function kv(i,t){const e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function Hv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Qe(e,t))return;i.uniform2iv(this.addr,t),tn(e,t)}}function Vv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Qe(e,t))return;i.uniform3iv(this.addr,t),tn(e,t)}}function Gv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Qe(e,t))return;i.uniform4iv(this.addr,t),tn(e,t)}}function Wv(i,t){const e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function Xv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Qe(e,t))return;i.uniform2uiv(this.addr,t),tn(e,t)}}function Yv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Qe(e,t))return;i.uniform3uiv(this.addr,t),tn(e,t)}}function qv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Qe(e,t))return;i.uniform4uiv(this.addr,t),tn(e,t)}}function $v(i,t,e){const n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?(Hh.compareFunction=Md,r=Hh):r=Bd,e.setTexture2D(t||r,s)}function Kv(i,t,e){const n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||kd,s)}function jv(i,t,e){const n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTextureCube(t||Hd,s)}function Zv(i,t,e){const n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||zd,s)}function Jv(i){switch(i){case 5126:return Uv;case 35664:return Iv;case 35665:return Nv;case 35666:return Fv;case 35674:return Ov;case 35675:return Bv;case 35676:return zv;case 5124:case 35670:return kv;case 35667:case 35671:return Hv;case 35668:case 35672:return Vv;case 35669:case 35673:return Gv;case 5125:return Wv;case 36294:return Xv;case 36295:return Yv;case 36296:return qv;case 35678:case 36198:case 36298:case 36306:case 35682:return $v;case 35679:case 36299:case 36307:return Kv;case 35680:case 36300:case 36308:case 36293:return jv;case 36289:case 36303:case 36311:case 36292:return Zv}}function Qv(i,t){i.uniform1fv(this.addr,t)}function tx(i,t){const e=Cr(t,this.size,2);i.uniform2fv(this.addr,e)}function ex(i,t){const e=Cr(t,this.size,3);i.uniform3fv(this.addr,e)}function nx(i,t){const e=Cr(t,this.size,4);i.uniform4fv(this.addr,e)}function ix(i,t){const e=Cr(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function sx(i,t){const e=Cr(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function rx(i,t){const e=Cr(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function ax(i,t){i.uniform1iv(this.addr,t)}function ox(i,t){i.uniform2iv(this.addr,t)}function lx(i,t){i.uniform3iv(this.addr,t)}function cx(i,t){i.uniform4iv(this.addr,t)}function ux(i,t){i.uniform1uiv(this.addr,t)}function hx(i,t){i.uniform2uiv(this.addr,t)}function fx(i,t){i.uniform3uiv(this.addr,t)}function dx(i,t){i.uniform4uiv(this.addr,t)}function px(i,t,e){const n=this.cache,s=t.length,r=Po(e,s);Qe(n,r)||(i.uniform1iv(this.addr,r),tn(n,r));for(let a=0;a!==s;++a)e.setTexture2D(t[a]||Bd,r[a])}function mx(i,t,e){const n=this.cache,s=t.length,r=Po(e,s);Qe(n,r)||(i.uniform1iv(this.addr,r),tn(n,r));for(let a=0;a!==s;++a)e.setTexture3D(t[a]||kd,r[a])}function gx(i,t,e){const n=this.cache,s=t.length,r=Po(e,s);Qe(n,r)||(i.uniform1iv(this.addr,r),tn(n,r));for(let a=0;a!==s;++a)e.setTextureCube(t[a]||Hd,r[a])}function _x(i,t,e){const n=this.cache,s=t.length,r=Po(e,s);Qe(n,r)||(i.uniform1iv(this.addr,r),tn(n,r));for(let a=0;a!==s;++a)e.setTexture2DArray(t[a]||zd,r[a])}function vx(i){switch(i){case 5126:return Qv;case 35664:return tx;case 35665:return ex;case 35666:return nx;case 35674:return ix;case 35675:return sx;case 35676:return rx;case 5124:case 35670:return ax;case 35667:case 35671:return ox;case 35668:case 35672:return lx;case 35669:case 35673:return cx;case 5125:return ux;case 36294:return hx;case 36295:return fx;case 36296:return dx;case 35678:case 36198:case 36298:case 36306:case 35682:return px;case 35679:case 36299:case 36307:return mx;case 35680:case 36300:case 36308:case 36293:return gx;case 36289:case 36303:case 36311:case 36292:return _x}}class xx{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=Jv(e.type)}}class Mx{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=vx(e.type)}}class Sx{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){const s=this.seq;for(let r=0,a=s.length;r!==a;++r){const o=s[r];o.setValue(t,e[o.id],n)}}}const Dl=/(\w+)(\])?(\[|\.)?/g;function qh(i,t){i.seq.push(t),i.map[t.id]=t}function yx(i,t,e){const n=i.name,s=n.length;for(Dl.lastIndex=0;;){const r=Dl.exec(n),a=Dl.lastIndex;let o=r[1];const l=r[2]==="]",c=r[3];if(l&&(o=o|0),c===void 0||c==="["&&a+2===s){qh(e,c===void 0?new xx(o,i,t):new Mx(o,i,t));break}else{let h=e.map[o];h===void 0&&(h=new Sx(o),qh(e,h)),e=h}}}class mo{constructor(t,e){this.seq=[],this.map={};const n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let s=0;s<n;++s){const r=t.getActiveUniform(e,s),a=t.getUniformLocation(e,r.name);yx(r,a,this)}}setValue(t,e,n,s){const r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){const s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,a=e.length;r!==a;++r){const o=e[r],l=n[o.id];l.needsUpdate!==!1&&o.setValue(t,l.value,s)}}static seqWithValue(t,e){const n=[];for(let s=0,r=t.length;s!==r;++s){const a=t[s];a.id in e&&n.push(a)}return n}}function $h(i,t,e){const n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}const Ex=37297;let bx=0;function Tx(i,t){const e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let a=s;a<r;a++){const o=a+1;n.push(`${o===t?">":" "} ${o}: ${e[a]}`)}return n.join(`
`)}const Kh=new ne;function wx(i){fe._getMatrix(Kh,fe.workingColorSpace,i);const t=`mat3( ${Kh.elements.map(e=>e.toFixed(4))} )`;switch(fe.getTransfer(i)){case xo:return[t,"LinearTransferOETF"];case we:return[t,"sRGBTransferOETF"];default:return console.warn("THREE.WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function jh(i,t,e){const n=i.getShaderParameter(t,i.COMPILE_STATUS),r=(i.getShaderInfoLog(t)||"").trim();if(n&&r==="")return"";const a=/ERROR: 0:(\d+)/.exec(r);if(a){const o=parseInt(a[1]);return e.toUpperCase()+`

`+r+`

`+Tx(i.getShaderSource(t),o)}else return r}function Ax(i,t){const e=wx(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( value.rgb * ${e[0]}, value.a ) );`,"}"].join(`
`)}function Rx(i,t){let e;switch(t){case bm:e="Linear";break;case Tm:e="Reinhard";break;case wm:e="Cineon";break;case Am:e="ACESFilmic";break;case Cm:e="AgX";break;case Pm:e="Neutral";break;case Rm:e="Custom";break;default:console.warn("THREE.WebGLProgram: Unsupported toneMapping:",t),e="Linear"}return"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}const io=new V;function Cx(){fe.getLuminanceCoefficients(io);const i=io.x.toFixed(4),t=io.y.toFixed(4),e=io.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function Px(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(ta).join(`
`)}function Dx(i){const t=[];for(const e in i){const n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function Lx(i,t){const e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){const r=i.getActiveAttrib(t,s),a=r.name;let o=1;r.type===i.FLOAT_MAT2&&(o=2),r.type===i.FLOAT_MAT3&&(o=3),r.type===i.FLOAT_MAT4&&(o=4),e[a]={type:r.type,location:i.getAttribLocation(t,a),locationSize:o}}return e}function ta(i){return i!==""}function Zh(i,t){const e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows)}function Jh(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}const Ux=/^[ \t]*#include +<([\w\d./]+)>/gm;function Pc(i){return i.replace(Ux,Nx)}const Ix=new Map;function Nx(i,t){let e=re[t];if(e===void 0){const n=Ix.get(t);if(n!==void 0)e=re[n],console.warn('THREE.WebGLRenderer: Shader chunk "%s" has been deprecated. Use "%s" instead.',t,n);else throw new Error("Can not resolve #include <"+t+">")}return Pc(e)}const Fx=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function Qh(i){return i.replace(Fx,Ox)}function Ox(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function tf(i){let t=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?t+=`
#define HIGH_PRECISION`:i.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}function Bx(i){let t="SHADOWMAP_TYPE_BASIC";return i.shadowMapType===Yc?t="SHADOWMAP_TYPE_PCF":i.shadowMapType===ud?t="SHADOWMAP_TYPE_PCF_SOFT":i.shadowMapType===Li&&(t="SHADOWMAP_TYPE_VSM"),t}function zx(i){let t="ENVMAP_TYPE_CUBE";if(i.envMap)switch(i.envMapMode){case xr:case Mr:t="ENVMAP_TYPE_CUBE";break;case Co:t="ENVMAP_TYPE_CUBE_UV";break}return t}function kx(i){let t="ENVMAP_MODE_REFLECTION";return i.envMap&&i.envMapMode===Mr&&(t="ENVMAP_MODE_REFRACTION"),t}function Hx(i){let t="ENVMAP_BLENDING_NONE";if(i.envMap)switch(i.combine){case qc:t="ENVMAP_BLENDING_MULTIPLY";break;case ym:t="ENVMAP_BLENDING_MIX";break;case Em:t="ENVMAP_BLENDING_ADD";break}return t}function Vx(i){const t=i.envMapCubeUVHeight;if(t===null)return null;const e=Math.log2(t)-2,n=1/t;return{texelWidth:1/(3*Math.max(Math.pow(2,e),112)),texelHeight:n,maxMip:e}}function Gx(i,t,e,n){const s=i.getContext(),r=e.defines;let a=e.vertexShader,o=e.fragmentShader;const l=Bx(e),c=zx(e),u=kx(e),h=Hx(e),f=Vx(e),p=Px(e),_=Dx(r),x=s.createProgram();let m,d,T=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(m=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,_].filter(ta).join(`
`),m.length>0&&(m+=`
`),d=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,_].filter(ta).join(`
`),d.length>0&&(d+=`
`)):(m=[tf(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,_,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+u:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(ta).join(`
`),d=[tf(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,_,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+c:"",e.envMap?"#define "+u:"",e.envMap?"#define "+h:"",f?"#define CUBEUV_TEXEL_WIDTH "+f.texelWidth:"",f?"#define CUBEUV_TEXEL_HEIGHT "+f.texelHeight:"",f?"#define CUBEUV_MAX_MIP "+f.maxMip+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor||e.batchingColor?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==is?"#define TONE_MAPPING":"",e.toneMapping!==is?re.tonemapping_pars_fragment:"",e.toneMapping!==is?Rx("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",re.colorspace_pars_fragment,Ax("linearToOutputTexel",e.outputColorSpace),Cx(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(ta).join(`
`)),a=Pc(a),a=Zh(a,e),a=Jh(a,e),o=Pc(o),o=Zh(o,e),o=Jh(o,e),a=Qh(a),o=Qh(o),e.isRawShaderMaterial!==!0&&(T=`#version 300 es
`,m=[p,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+m,d=["#define varying in",e.glslVersion===eh?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===eh?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+d);const w=T+m+a,S=T+d+o,L=$h(s,s.VERTEX_SHADER,w),R=$h(s,s.FRAGMENT_SHADER,S);s.attachShader(x,L),s.attachShader(x,R),e.index0AttributeName!==void 0?s.bindAttribLocation(x,0,e.index0AttributeName):e.morphTargets===!0&&s.bindAttribLocation(x,0,"position"),s.linkProgram(x);function U(C){if(i.debug.checkShaderErrors){const z=s.getProgramInfoLog(x)||"",H=s.getShaderInfoLog(L)||"",Y=s.getShaderInfoLog(R)||"",W=z.trim(),$=H.trim(),q=Y.trim();let J=!0,ot=!0;if(s.getProgramParameter(x,s.LINK_STATUS)===!1)if(J=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,x,L,R);else{const lt=jh(s,L,"vertex"),vt=jh(s,R,"fragment");console.error("THREE.WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(x,s.VALIDATE_STATUS)+`

Material Name: `+C.name+`
Material Type: `+C.type+`

Program Info Log: `+W+`
`+lt+`
`+vt)}else W!==""?console.warn("THREE.WebGLProgram: Program Info Log:",W):($===""||q==="")&&(ot=!1);ot&&(C.diagnostics={runnable:J,programLog:W,vertexShader:{log:$,prefix:m},fragmentShader:{log:q,prefix:d}})}s.deleteShader(L),s.deleteShader(R),F=new mo(s,x),b=Lx(s,x)}let F;this.getUniforms=function(){return F===void 0&&U(this),F};let b;this.getAttributes=function(){return b===void 0&&U(this),b};let E=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return E===!1&&(E=s.getProgramParameter(x,Ex)),E},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(x),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=bx++,this.cacheKey=t,this.usedTimes=1,this.program=x,this.vertexShader=L,this.fragmentShader=R,this}let Wx=0;class Xx{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t){const e=t.vertexShader,n=t.fragmentShader,s=this._getShaderStage(e),r=this._getShaderStage(n),a=this._getShaderCacheForMaterial(t);return a.has(s)===!1&&(a.add(s),s.usedTimes++),a.has(r)===!1&&(a.add(r),r.usedTimes++),this}remove(t){const e=this.materialCache.get(t);for(const n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderID(t){return this._getShaderStage(t.vertexShader).id}getFragmentShaderID(t){return this._getShaderStage(t.fragmentShader).id}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){const e=this.materialCache;let n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){const e=this.shaderCache;let n=e.get(t);return n===void 0&&(n=new Yx(t),e.set(t,n)),n}}class Yx{constructor(t){this.id=Wx++,this.code=t,this.usedTimes=0}}function qx(i,t,e,n,s,r,a){const o=new iu,l=new Xx,c=new Set,u=[],h=s.logarithmicDepthBuffer,f=s.vertexTextures;let p=s.precision;const _={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distanceRGBA",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function x(b){return c.add(b),b===0?"uv":`uv${b}`}function m(b,E,C,z,H){const Y=z.fog,W=H.geometry,$=b.isMeshStandardMaterial?z.environment:null,q=(b.isMeshStandardMaterial?e:t).get(b.envMap||$),J=q&&q.mapping===Co?q.image.height:null,ot=_[b.type];b.precision!==null&&(p=s.getMaxPrecision(b.precision),p!==b.precision&&console.warn("THREE.WebGLProgram.getParameters:",b.precision,"not supported, using",p,"instead."));const lt=W.morphAttributes.position||W.morphAttributes.normal||W.morphAttributes.color,vt=lt!==void 0?lt.length:0;let St=0;W.morphAttributes.position!==void 0&&(St=1),W.morphAttributes.normal!==void 0&&(St=2),W.morphAttributes.color!==void 0&&(St=3);let _t,te,jt,Q;if(ot){const de=_i[ot];_t=de.vertexShader,te=de.fragmentShader}else _t=b.vertexShader,te=b.fragmentShader,l.update(b),jt=l.getVertexShaderID(b),Q=l.getFragmentShaderID(b);const nt=i.getRenderTarget(),bt=i.state.buffers.depth.getReversed(),zt=H.isInstancedMesh===!0,xt=H.isBatchedMesh===!0,Zt=!!b.map,De=!!b.matcap,I=!!q,he=!!b.aoMap,qt=!!b.lightMap,Gt=!!b.bumpMap,It=!!b.normalMap,Se=!!b.displacementMap,Ct=!!b.emissiveMap,Vt=!!b.metalnessMap,Ne=!!b.roughnessMap,_e=b.anisotropy>0,P=b.clearcoat>0,v=b.dispersion>0,N=b.iridescence>0,j=b.sheen>0,it=b.transmission>0,et=_e&&!!b.anisotropyMap,Nt=P&&!!b.clearcoatMap,ht=P&&!!b.clearcoatNormalMap,Dt=P&&!!b.clearcoatRoughnessMap,At=N&&!!b.iridescenceMap,at=N&&!!b.iridescenceThicknessMap,gt=j&&!!b.sheenColorMap,Bt=j&&!!b.sheenRoughnessMap,Ot=!!b.specularMap,Mt=!!b.specularColorMap,Kt=!!b.specularIntensityMap,O=it&&!!b.transmissionMap,ft=it&&!!b.thicknessMap,pt=!!b.gradientMap,Pt=!!b.alphaMap,ut=b.alphaTest>0,rt=!!b.alphaHash,Ft=!!b.extensions;let Jt=is;b.toneMapped&&(nt===null||nt.isXRRenderTarget===!0)&&(Jt=i.toneMapping);const be={shaderID:ot,shaderType:b.type,shaderName:b.name,vertexShader:_t,fragmentShader:te,defines:b.defines,customVertexShaderID:jt,customFragmentShaderID:Q,isRawShaderMaterial:b.isRawShaderMaterial===!0,glslVersion:b.glslVersion,precision:p,batching:xt,batchingColor:xt&&H._colorsTexture!==null,instancing:zt,instancingColor:zt&&H.instanceColor!==null,instancingMorph:zt&&H.morphTexture!==null,supportsVertexTextures:f,outputColorSpace:nt===null?i.outputColorSpace:nt.isXRRenderTarget===!0?nt.texture.colorSpace:Cs,alphaToCoverage:!!b.alphaToCoverage,map:Zt,matcap:De,envMap:I,envMapMode:I&&q.mapping,envMapCubeUVHeight:J,aoMap:he,lightMap:qt,bumpMap:Gt,normalMap:It,displacementMap:f&&Se,emissiveMap:Ct,normalMapObjectSpace:It&&b.normalMapType===Im,normalMapTangentSpace:It&&b.normalMapType===xd,metalnessMap:Vt,roughnessMap:Ne,anisotropy:_e,anisotropyMap:et,clearcoat:P,clearcoatMap:Nt,clearcoatNormalMap:ht,clearcoatRoughnessMap:Dt,dispersion:v,iridescence:N,iridescenceMap:At,iridescenceThicknessMap:at,sheen:j,sheenColorMap:gt,sheenRoughnessMap:Bt,specularMap:Ot,specularColorMap:Mt,specularIntensityMap:Kt,transmission:it,transmissionMap:O,thicknessMap:ft,gradientMap:pt,opaque:b.transparent===!1&&b.blending===mr&&b.alphaToCoverage===!1,alphaMap:Pt,alphaTest:ut,alphaHash:rt,combine:b.combine,mapUv:Zt&&x(b.map.channel),aoMapUv:he&&x(b.aoMap.channel),lightMapUv:qt&&x(b.lightMap.channel),bumpMapUv:Gt&&x(b.bumpMap.channel),normalMapUv:It&&x(b.normalMap.channel),displacementMapUv:Se&&x(b.displacementMap.channel),emissiveMapUv:Ct&&x(b.emissiveMap.channel),metalnessMapUv:Vt&&x(b.metalnessMap.channel),roughnessMapUv:Ne&&x(b.roughnessMap.channel),anisotropyMapUv:et&&x(b.anisotropyMap.channel),clearcoatMapUv:Nt&&x(b.clearcoatMap.channel),clearcoatNormalMapUv:ht&&x(b.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:Dt&&x(b.clearcoatRoughnessMap.channel),iridescenceMapUv:At&&x(b.iridescenceMap.channel),iridescenceThicknessMapUv:at&&x(b.iridescenceThicknessMap.channel),sheenColorMapUv:gt&&x(b.sheenColorMap.channel),sheenRoughnessMapUv:Bt&&x(b.sheenRoughnessMap.channel),specularMapUv:Ot&&x(b.specularMap.channel),specularColorMapUv:Mt&&x(b.specularColorMap.channel),specularIntensityMapUv:Kt&&x(b.specularIntensityMap.channel),transmissionMapUv:O&&x(b.transmissionMap.channel),thicknessMapUv:ft&&x(b.thicknessMap.channel),alphaMapUv:Pt&&x(b.alphaMap.channel),vertexTangents:!!W.attributes.tangent&&(It||_e),vertexColors:b.vertexColors,vertexAlphas:b.vertexColors===!0&&!!W.attributes.color&&W.attributes.color.itemSize===4,pointsUvs:H.isPoints===!0&&!!W.attributes.uv&&(Zt||Pt),fog:!!Y,useFog:b.fog===!0,fogExp2:!!Y&&Y.isFogExp2,flatShading:b.flatShading===!0&&b.wireframe===!1,sizeAttenuation:b.sizeAttenuation===!0,logarithmicDepthBuffer:h,reversedDepthBuffer:bt,skinning:H.isSkinnedMesh===!0,morphTargets:W.morphAttributes.position!==void 0,morphNormals:W.morphAttributes.normal!==void 0,morphColors:W.morphAttributes.color!==void 0,morphTargetsCount:vt,morphTextureStride:St,numDirLights:E.directional.length,numPointLights:E.point.length,numSpotLights:E.spot.length,numSpotLightMaps:E.spotLightMap.length,numRectAreaLights:E.rectArea.length,numHemiLights:E.hemi.length,numDirLightShadows:E.directionalShadowMap.length,numPointLightShadows:E.pointShadowMap.length,numSpotLightShadows:E.spotShadowMap.length,numSpotLightShadowsWithMaps:E.numSpotLightShadowsWithMaps,numLightProbes:E.numLightProbes,numClippingPlanes:a.numPlanes,numClipIntersection:a.numIntersection,dithering:b.dithering,shadowMapEnabled:i.shadowMap.enabled&&C.length>0,shadowMapType:i.shadowMap.type,toneMapping:Jt,decodeVideoTexture:Zt&&b.map.isVideoTexture===!0&&fe.getTransfer(b.map.colorSpace)===we,decodeVideoTextureEmissive:Ct&&b.emissiveMap.isVideoTexture===!0&&fe.getTransfer(b.emissiveMap.colorSpace)===we,premultipliedAlpha:b.premultipliedAlpha,doubleSided:b.side===ai,flipSided:b.side===An,useDepthPacking:b.depthPacking>=0,depthPacking:b.depthPacking||0,index0AttributeName:b.index0AttributeName,extensionClipCullDistance:Ft&&b.extensions.clipCullDistance===!0&&n.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Ft&&b.extensions.multiDraw===!0||xt)&&n.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:n.has("KHR_parallel_shader_compile"),customProgramCacheKey:b.customProgramCacheKey()};return be.vertexUv1s=c.has(1),be.vertexUv2s=c.has(2),be.vertexUv3s=c.has(3),c.clear(),be}function d(b){const E=[];if(b.shaderID?E.push(b.shaderID):(E.push(b.customVertexShaderID),E.push(b.customFragmentShaderID)),b.defines!==void 0)for(const C in b.defines)E.push(C),E.push(b.defines[C]);return b.isRawShaderMaterial===!1&&(T(E,b),w(E,b),E.push(i.outputColorSpace)),E.push(b.customProgramCacheKey),E.join()}function T(b,E){b.push(E.precision),b.push(E.outputColorSpace),b.push(E.envMapMode),b.push(E.envMapCubeUVHeight),b.push(E.mapUv),b.push(E.alphaMapUv),b.push(E.lightMapUv),b.push(E.aoMapUv),b.push(E.bumpMapUv),b.push(E.normalMapUv),b.push(E.displacementMapUv),b.push(E.emissiveMapUv),b.push(E.metalnessMapUv),b.push(E.roughnessMapUv),b.push(E.anisotropyMapUv),b.push(E.clearcoatMapUv),b.push(E.clearcoatNormalMapUv),b.push(E.clearcoatRoughnessMapUv),b.push(E.iridescenceMapUv),b.push(E.iridescenceThicknessMapUv),b.push(E.sheenColorMapUv),b.push(E.sheenRoughnessMapUv),b.push(E.specularMapUv),b.push(E.specularColorMapUv),b.push(E.specularIntensityMapUv),b.push(E.transmissionMapUv),b.push(E.thicknessMapUv),b.push(E.combine),b.push(E.fogExp2),b.push(E.sizeAttenuation),b.push(E.morphTargetsCount),b.push(E.morphAttributeCount),b.push(E.numDirLights),b.push(E.numPointLights),b.push(E.numSpotLights),b.push(E.numSpotLightMaps),b.push(E.numHemiLights),b.push(E.numRectAreaLights),b.push(E.numDirLightShadows),b.push(E.numPointLightShadows),b.push(E.numSpotLightShadows),b.push(E.numSpotLightShadowsWithMaps),b.push(E.numLightProbes),b.push(E.shadowMapType),b.push(E.toneMapping),b.push(E.numClippingPlanes),b.push(E.numClipIntersection),b.push(E.depthPacking)}function w(b,E){o.disableAll(),E.supportsVertexTextures&&o.enable(0),E.instancing&&o.enable(1),E.instancingColor&&o.enable(2),E.instancingMorph&&o.enable(3),E.matcap&&o.enable(4),E.envMap&&o.enable(5),E.normalMapObjectSpace&&o.enable(6),E.normalMapTangentSpace&&o.enable(7),E.clearcoat&&o.enable(8),E.iridescence&&o.enable(9),E.alphaTest&&o.enable(10),E.vertexColors&&o.enable(11),E.vertexAlphas&&o.enable(12),E.vertexUv1s&&o.enable(13),E.vertexUv2s&&o.enable(14),E.vertexUv3s&&o.enable(15),E.vertexTangents&&o.enable(16),E.anisotropy&&o.enable(17),E.alphaHash&&o.enable(18),E.batching&&o.enable(19),E.dispersion&&o.enable(20),E.batchingColor&&o.enable(21),E.gradientMap&&o.enable(22),b.push(o.mask),o.disableAll(),E.fog&&o.enable(0),E.useFog&&o.enable(1),E.flatShading&&o.enable(2),E.logarithmicDepthBuffer&&o.enable(3),E.reversedDepthBuffer&&o.enable(4),E.skinning&&o.enable(5),E.morphTargets&&o.enable(6),E.morphNormals&&o.enable(7),E.morphColors&&o.enable(8),E.premultipliedAlpha&&o.enable(9),E.shadowMapEnabled&&o.enable(10),E.doubleSided&&o.enable(11),E.flipSided&&o.enable(12),E.useDepthPacking&&o.enable(13),E.dithering&&o.enable(14),E.transmission&&o.enable(15),E.sheen&&o.enable(16),E.opaque&&o.enable(17),E.pointsUvs&&o.enable(18),E.decodeVideoTexture&&o.enable(19),E.decodeVideoTextureEmissive&&o.enable(20),E.alphaToCoverage&&o.enable(21),b.push(o.mask)}function S(b){const E=_[b.type];let C;if(E){const z=_i[E];C=ug.clone(z.uniforms)}else C=b.uniforms;return C}function L(b,E){let C;for(let z=0,H=u.length;z<H;z++){const Y=u[z];if(Y.cacheKey===E){C=Y,++C.usedTimes;break}}return C===void 0&&(C=new Gx(i,E,b,r),u.push(C)),C}function R(b){if(--b.usedTimes===0){const E=u.indexOf(b);u[E]=u[u.length-1],u.pop(),b.destroy()}}function U(b){l.remove(b)}function F(){l.dispose()}return{getParameters:m,getProgramCacheKey:d,getUniforms:S,acquireProgram:L,releaseProgram:R,releaseShaderCache:U,programs:u,dispose:F}}function $x(){let i=new WeakMap;function t(a){return i.has(a)}function e(a){let o=i.get(a);return o===void 0&&(o={},i.set(a,o)),o}function n(a){i.delete(a)}function s(a,o,l){i.get(a)[o]=l}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function Kx(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.z!==t.z?i.z-t.z:i.id-t.id}function ef(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function nf(){const i=[];let t=0;const e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function a(h,f,p,_,x,m){let d=i[t];return d===void 0?(d={id:h.id,object:h,geometry:f,material:p,groupOrder:_,renderOrder:h.renderOrder,z:x,group:m},i[t]=d):(d.id=h.id,d.object=h,d.geometry=f,d.material=p,d.groupOrder=_,d.renderOrder=h.renderOrder,d.z=x,d.group=m),t++,d}function o(h,f,p,_,x,m){const d=a(h,f,p,_,x,m);p.transmission>0?n.push(d):p.transparent===!0?s.push(d):e.push(d)}function l(h,f,p,_,x,m){const d=a(h,f,p,_,x,m);p.transmission>0?n.unshift(d):p.transparent===!0?s.unshift(d):e.unshift(d)}function c(h,f){e.length>1&&e.sort(h||Kx),n.length>1&&n.sort(f||ef),s.length>1&&s.sort(f||ef)}function u(){for(let h=t,f=i.length;h<f;h++){const p=i[h];if(p.id===null)break;p.id=null,p.object=null,p.geometry=null,p.material=null,p.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:o,unshift:l,finish:u,sort:c}}function jx(){let i=new WeakMap;function t(n,s){const r=i.get(n);let a;return r===void 0?(a=new nf,i.set(n,[a])):s>=r.length?(a=new nf,r.push(a)):a=r[s],a}function e(){i=new WeakMap}return{get:t,dispose:e}}function Zx(){const i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"DirectionalLight":e={direction:new V,color:new ae};break;case"SpotLight":e={position:new V,direction:new V,color:new ae,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new V,color:new ae,distance:0,decay:0};break;case"HemisphereLight":e={direction:new V,skyColor:new ae,groundColor:new ae};break;case"RectAreaLight":e={color:new ae,position:new V,halfWidth:new V,halfHeight:new V};break}return i[t.id]=e,e}}}function Jx(){const i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ie};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ie};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ie,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}let Qx=0;function tM(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function eM(i){const t=new Zx,e=Jx(),n={version:0,hash:{directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new V);const s=new V,r=new Ee,a=new Ee;function o(c){let u=0,h=0,f=0;for(let b=0;b<9;b++)n.probe[b].set(0,0,0);let p=0,_=0,x=0,m=0,d=0,T=0,w=0,S=0,L=0,R=0,U=0;c.sort(tM);for(let b=0,E=c.length;b<E;b++){const C=c[b],z=C.color,H=C.intensity,Y=C.distance,W=C.shadow&&C.shadow.map?C.shadow.map.texture:null;if(C.isAmbientLight)u+=z.r*H,h+=z.g*H,f+=z.b*H;else if(C.isLightProbe){for(let $=0;$<9;$++)n.probe[$].addScaledVector(C.sh.coefficients[$],H);U++}else if(C.isDirectionalLight){const $=t.get(C);if($.color.copy(C.color).multiplyScalar(C.intensity),C.castShadow){const q=C.shadow,J=e.get(C);J.shadowIntensity=q.intensity,J.shadowBias=q.bias,J.shadowNormalBias=q.normalBias,J.shadowRadius=q.radius,J.shadowMapSize=q.mapSize,n.directionalShadow[p]=J,n.directionalShadowMap[p]=W,n.directionalShadowMatrix[p]=C.shadow.matrix,T++}n.directional[p]=$,p++}else if(C.isSpotLight){const $=t.get(C);$.position.setFromMatrixPosition(C.matrixWorld),$.color.copy(z).multiplyScalar(H),$.distance=Y,$.coneCos=Math.cos(C.angle),$.penumbraCos=Math.cos(C.angle*(1-C.penumbra)),$.decay=C.decay,n.spot[x]=$;const q=C.shadow;if(C.map&&(n.spotLightMap[L]=C.map,L++,q.updateMatrices(C),C.castShadow&&R++),n.spotLightMatrix[x]=q.matrix,C.castShadow){const J=e.get(C);J.shadowIntensity=q.intensity,J.shadowBias=q.bias,J.shadowNormalBias=q.normalBias,J.shadowRadius=q.radius,J.shadowMapSize=q.mapSize,n.spotShadow[x]=J,n.spotShadowMap[x]=W,S++}x++}else if(C.isRectAreaLight){const $=t.get(C);$.color.copy(z).multiplyScalar(H),$.halfWidth.set(C.width*.5,0,0),$.halfHeight.set(0,C.height*.5,0),n.rectArea[m]=$,m++}else if(C.isPointLight){const $=t.get(C);if($.color.copy(C.color).multiplyScalar(C.intensity),$.distance=C.distance,$.decay=C.decay,C.castShadow){const q=C.shadow,J=e.get(C);J.shadowIntensity=q.intensity,J.shadowBias=q.bias,J.shadowNormalBias=q.normalBias,J.shadowRadius=q.radius,J.shadowMapSize=q.mapSize,J.shadowCameraNear=q.camera.near,J.shadowCameraFar=q.camera.far,n.pointShadow[_]=J,n.pointShadowMap[_]=W,n.pointShadowMatrix[_]=C.shadow.matrix,w++}n.point[_]=$,_++}else if(C.isHemisphereLight){const $=t.get(C);$.skyColor.copy(C.color).multiplyScalar(H),$.groundColor.copy(C.groundColor).multiplyScalar(H),n.hemi[d]=$,d++}}m>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Et.LTC_FLOAT_1,n.rectAreaLTC2=Et.LTC_FLOAT_2):(n.rectAreaLTC1=Et.LTC_HALF_1,n.rectAreaLTC2=Et.LTC_HALF_2)),n.ambient[0]=u,n.ambient[1]=h,n.ambient[2]=f;const F=n.hash;(F.directionalLength!==p||F.pointLength!==_||F.spotLength!==x||F.rectAreaLength!==m||F.hemiLength!==d||F.numDirectionalShadows!==T||F.numPointShadows!==w||F.numSpotShadows!==S||F.numSpotMaps!==L||F.numLightProbes!==U)&&(n.directional.length=p,n.spot.length=x,n.rectArea.length=m,n.point.length=_,n.hemi.length=d,n.directionalShadow.length=T,n.directionalShadowMap.length=T,n.pointShadow.length=w,n.pointShadowMap.length=w,n.spotShadow.length=S,n.spotShadowMap.length=S,n.directionalShadowMatrix.length=T,n.pointShadowMatrix.length=w,n.spotLightMatrix.length=S+L-R,n.spotLightMap.length=L,n.numSpotLightShadowsWithMaps=R,n.numLightProbes=U,F.directionalLength=p,F.pointLength=_,F.spotLength=x,F.rectAreaLength=m,F.hemiLength=d,F.numDirectionalShadows=T,F.numPointShadows=w,F.numSpotShadows=S,F.numSpotMaps=L,F.numLightProbes=U,n.version=Qx++)}function l(c,u){let h=0,f=0,p=0,_=0,x=0;const m=u.matrixWorldInverse;for(let d=0,T=c.length;d<T;d++){const w=c[d];if(w.isDirectionalLight){const S=n.directional[h];S.direction.setFromMatrixPosition(w.matrixWorld),s.setFromMatrixPosition(w.target.matrixWorld),S.direction.sub(s),S.direction.transformDirection(m),h++}else if(w.isSpotLight){const S=n.spot[p];S.position.setFromMatrixPosition(w.matrixWorld),S.position.applyMatrix4(m),S.direction.setFromMatrixPosition(w.matrixWorld),s.setFromMatrixPosition(w.target.matrixWorld),S.direction.sub(s),S.direction.transformDirection(m),p++}else if(w.isRectAreaLight){const S=n.rectArea[_];S.position.setFromMatrixPosition(w.matrixWorld),S.position.applyMatrix4(m),a.identity(),r.copy(w.matrixWorld),r.premultiply(m),a.extractRotation(r),S.halfWidth.set(w.width*.5,0,0),S.halfHeight.set(0,w.height*.5,0),S.halfWidth.applyMatrix4(a),S.halfHeight.applyMatrix4(a),_++}else if(w.isPointLight){const S=n.point[f];S.position.setFromMatrixPosition(w.matrixWorld),S.position.applyMatrix4(m),f++}else if(w.isHemisphereLight){const S=n.hemi[x];S.direction.setFromMatrixPosition(w.matrixWorld),S.direction.transformDirection(m),x++}}}return{setup:o,setupView:l,state:n}}function sf(i){const t=new eM(i),e=[],n=[];function s(u){c.camera=u,e.length=0,n.length=0}function r(u){e.push(u)}function a(u){n.push(u)}function o(){t.setup(e)}function l(u){t.setupView(e,u)}const c={lightsArray:e,shadowsArray:n,camera:null,lights:t,transmissionRenderTarget:{}};return{init:s,state:c,setupLights:o,setupLightsView:l,pushLight:r,pushShadow:a}}function nM(i){let t=new WeakMap;function e(s,r=0){const a=t.get(s);let o;return a===void 0?(o=new sf(i),t.set(s,[o])):r>=a.length?(o=new sf(i),a.push(o)):o=a[r],o}function n(){t=new WeakMap}return{get:e,dispose:n}}const iM=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,sM=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
#include <packing>
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = unpackRGBATo2Half( texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ) );
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = unpackRGBAToDepth( texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ) );
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( squared_mean - mean * mean );
	gl_FragColor = pack2HalfToRGBA( vec2( mean, std_dev ) );
}`;function rM(i,t,e){let n=new au;const s=new ie,r=new ie,a=new Ge,o=new Ag({depthPacking:Um}),l=new Rg,c={},u=e.maxTextureSize,h={[Oi]:An,[An]:Oi,[ai]:ai},f=new Bi({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new ie},radius:{value:4}},vertexShader:iM,fragmentShader:sM}),p=f.clone();p.defines.HORIZONTAL_PASS=1;const _=new Je;_.setAttribute("position",new un(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));const x=new zn(_,f),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=Yc;let d=this.type;this.render=function(R,U,F){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||R.length===0)return;const b=i.getRenderTarget(),E=i.getActiveCubeFace(),C=i.getActiveMipmapLevel(),z=i.state;z.setBlending(ns),z.buffers.depth.getReversed()===!0?z.buffers.color.setClear(0,0,0,0):z.buffers.color.setClear(1,1,1,1),z.buffers.depth.setTest(!0),z.setScissorTest(!1);const H=d!==Li&&this.type===Li,Y=d===Li&&this.type!==Li;for(let W=0,$=R.length;W<$;W++){const q=R[W],J=q.shadow;if(J===void 0){console.warn("THREE.WebGLShadowMap:",q,"has no shadow.");continue}if(J.autoUpdate===!1&&J.needsUpdate===!1)continue;s.copy(J.mapSize);const ot=J.getFrameExtents();if(s.multiply(ot),r.copy(J.mapSize),(s.x>u||s.y>u)&&(s.x>u&&(r.x=Math.floor(u/ot.x),s.x=r.x*ot.x,J.mapSize.x=r.x),s.y>u&&(r.y=Math.floor(u/ot.y),s.y=r.y*ot.y,J.mapSize.y=r.y)),J.map===null||H===!0||Y===!0){const vt=this.type!==Li?{minFilter:kn,magFilter:kn}:{};J.map!==null&&J.map.dispose(),J.map=new rs(s.x,s.y,vt),J.map.texture.name=q.name+".shadowMap",J.camera.updateProjectionMatrix()}i.setRenderTarget(J.map),i.clear();const lt=J.getViewportCount();for(let vt=0;vt<lt;vt++){const St=J.getViewport(vt);a.set(r.x*St.x,r.y*St.y,r.x*St.z,r.y*St.w),z.viewport(a),J.updateMatrices(q,vt),n=J.getFrustum(),S(U,F,J.camera,q,this.type)}J.isPointLightShadow!==!0&&this.type===Li&&T(J,F),J.needsUpdate=!1}d=this.type,m.needsUpdate=!1,i.setRenderTarget(b,E,C)};function T(R,U){const F=t.update(x);f.defines.VSM_SAMPLES!==R.blurSamples&&(f.defines.VSM_SAMPLES=R.blurSamples,p.defines.VSM_SAMPLES=R.blurSamples,f.needsUpdate=!0,p.needsUpdate=!0),R.mapPass===null&&(R.mapPass=new rs(s.x,s.y)),f.uniforms.shadow_pass.value=R.map.texture,f.uniforms.resolution.value=R.mapSize,f.uniforms.radius.value=R.radius,i.setRenderTarget(R.mapPass),i.clear(),i.renderBufferDirect(U,null,F,f,x,null),p.uniforms.shadow_pass.value=R.mapPass.texture,p.uniforms.resolution.value=R.mapSize,p.uniforms.radius.value=R.radius,i.setRenderTarget(R.map),i.clear(),i.renderBufferDirect(U,null,F,p,x,null)}function w(R,U,F,b){let E=null;const C=F.isPointLight===!0?R.customDistanceMaterial:R.customDepthMaterial;if(C!==void 0)E=C;else if(E=F.isPointLight===!0?l:o,i.localClippingEnabled&&U.clipShadows===!0&&Array.isArray(U.clippingPlanes)&&U.clippingPlanes.length!==0||U.displacementMap&&U.displacementScale!==0||U.alphaMap&&U.alphaTest>0||U.map&&U.alphaTest>0||U.alphaToCoverage===!0){const z=E.uuid,H=U.uuid;let Y=c[z];Y===void 0&&(Y={},c[z]=Y);let W=Y[H];W===void 0&&(W=E.clone(),Y[H]=W,U.addEventListener("dispose",L)),E=W}if(E.visible=U.visible,E.wireframe=U.wireframe,b===Li?E.side=U.shadowSide!==null?U.shadowSide:U.side:E.side=U.shadowSide!==null?U.shadowSide:h[U.side],E.alphaMap=U.alphaMap,E.alphaTest=U.alphaToCoverage===!0?.5:U.alphaTest,E.map=U.map,E.clipShadows=U.clipShadows,E.clippingPlanes=U.clippingPlanes,E.clipIntersection=U.clipIntersection,E.displacementMap=U.displacementMap,E.displacementScale=U.displacementScale,E.displacementBias=U.displacementBias,E.wireframeLinewidth=U.wireframeLinewidth,E.linewidth=U.linewidth,F.isPointLight===!0&&E.isMeshDistanceMaterial===!0){const z=i.properties.get(E);z.light=F}return E}function S(R,U,F,b,E){if(R.visible===!1)return;if(R.layers.test(U.layers)&&(R.isMesh||R.isLine||R.isPoints)&&(R.castShadow||R.receiveShadow&&E===Li)&&(!R.frustumCulled||n.intersectsObject(R))){R.modelViewMatrix.multiplyMatrices(F.matrixWorldInverse,R.matrixWorld);const H=t.update(R),Y=R.material;if(Array.isArray(Y)){const W=H.groups;for(let $=0,q=W.length;$<q;$++){const J=W[$],ot=Y[J.materialIndex];if(ot&&ot.visible){const lt=w(R,ot,b,E);R.onBeforeShadow(i,R,U,F,H,lt,J),i.renderBufferDirect(F,null,H,lt,R,J),R.onAfterShadow(i,R,U,F,H,lt,J)}}}else if(Y.visible){const W=w(R,Y,b,E);R.onBeforeShadow(i,R,U,F,H,W,null),i.renderBufferDirect(F,null,H,W,R,null),R.onAfterShadow(i,R,U,F,H,W,null)}}const z=R.children;for(let H=0,Y=z.length;H<Y;H++)S(z[H],U,F,b,E)}function L(R){R.target.removeEventListener("dispose",L);for(const F in c){const b=c[F],E=R.target.uuid;E in b&&(b[E].dispose(),delete b[E])}}}const aM={[Gl]:Wl,[Xl]:$l,[Yl]:Kl,[vr]:ql,[Wl]:Gl,[$l]:Xl,[Kl]:Yl,[ql]:vr};function oM(i,t){function e(){let O=!1;const ft=new Ge;let pt=null;const Pt=new Ge(0,0,0,0);return{setMask:function(ut){pt!==ut&&!O&&(i.colorMask(ut,ut,ut,ut),pt=ut)},setLocked:function(ut){O=ut},setClear:function(ut,rt,Ft,Jt,be){be===!0&&(ut*=Jt,rt*=Jt,Ft*=Jt),ft.set(ut,rt,Ft,Jt),Pt.equals(ft)===!1&&(i.clearColor(ut,rt,Ft,Jt),Pt.copy(ft))},reset:function(){O=!1,pt=null,Pt.set(-1,0,0,0)}}}function n(){let O=!1,ft=!1,pt=null,Pt=null,ut=null;return{setReversed:function(rt){if(ft!==rt){const Ft=t.get("EXT_clip_control");rt?Ft.clipControlEXT(Ft.LOWER_LEFT_EXT,Ft.ZERO_TO_ONE_EXT):Ft.clipControlEXT(Ft.LOWER_LEFT_EXT,Ft.NEGATIVE_ONE_TO_ONE_EXT),ft=rt;const Jt=ut;ut=null,this.setClear(Jt)}},getReversed:function(){return ft},setTest:function(rt){rt?nt(i.DEPTH_TEST):bt(i.DEPTH_TEST)},setMask:function(rt){pt!==rt&&!O&&(i.depthMask(rt),pt=rt)},setFunc:function(rt){if(ft&&(rt=aM[rt]),Pt!==rt){switch(rt){case Gl:i.depthFunc(i.NEVER);break;case Wl:i.depthFunc(i.ALWAYS);break;case Xl:i.depthFunc(i.LESS);break;case vr:i.depthFunc(i.LEQUAL);break;case Yl:i.depthFunc(i.EQUAL);break;case ql:i.depthFunc(i.GEQUAL);break;case $l:i.depthFunc(i.GREATER);break;case Kl:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}Pt=rt}},setLocked:function(rt){O=rt},setClear:function(rt){ut!==rt&&(ft&&(rt=1-rt),i.clearDepth(rt),ut=rt)},reset:function(){O=!1,pt=null,Pt=null,ut=null,ft=!1}}}function s(){let O=!1,ft=null,pt=null,Pt=null,ut=null,rt=null,Ft=null,Jt=null,be=null;return{setTest:function(de){O||(de?nt(i.STENCIL_TEST):bt(i.STENCIL_TEST))},setMask:function(de){ft!==de&&!O&&(i.stencilMask(de),ft=de)},setFunc:function(de,hn,Re){(pt!==de||Pt!==hn||ut!==Re)&&(i.stencilFunc(de,hn,Re),pt=de,Pt=hn,ut=Re)},setOp:function(de,hn,Re){(rt!==de||Ft!==hn||Jt!==Re)&&(i.stencilOp(de,hn,Re),rt=de,Ft=hn,Jt=Re)},setLocked:function(de){O=de},setClear:function(de){be!==de&&(i.clearStencil(de),be=de)},reset:function(){O=!1,ft=null,pt=null,Pt=null,ut=null,rt=null,Ft=null,Jt=null,be=null}}}const r=new e,a=new n,o=new s,l=new WeakMap,c=new WeakMap;let u={},h={},f=new WeakMap,p=[],_=null,x=!1,m=null,d=null,T=null,w=null,S=null,L=null,R=null,U=new ae(0,0,0),F=0,b=!1,E=null,C=null,z=null,H=null,Y=null;const W=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS);let $=!1,q=0;const J=i.getParameter(i.VERSION);J.indexOf("WebGL")!==-1?(q=parseFloat(/^WebGL (\d)/.exec(J)[1]),$=q>=1):J.indexOf("OpenGL ES")!==-1&&(q=parseFloat(/^OpenGL ES (\d)/.exec(J)[1]),$=q>=2);let ot=null,lt={};const vt=i.getParameter(i.SCISSOR_BOX),St=i.getParameter(i.VIEWPORT),_t=new Ge().fromArray(vt),te=new Ge().fromArray(St);function jt(O,ft,pt,Pt){const ut=new Uint8Array(4),rt=i.createTexture();i.bindTexture(O,rt),i.texParameteri(O,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(O,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Ft=0;Ft<pt;Ft++)O===i.TEXTURE_3D||O===i.TEXTURE_2D_ARRAY?i.texImage3D(ft,0,i.RGBA,1,1,Pt,0,i.RGBA,i.UNSIGNED_BYTE,ut):i.texImage2D(ft+Ft,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,ut);return rt}const Q={};Q[i.TEXTURE_2D]=jt(i.TEXTURE_2D,i.TEXTURE_2D,1),Q[i.TEXTURE_CUBE_MAP]=jt(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),Q[i.TEXTURE_2D_ARRAY]=jt(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),Q[i.TEXTURE_3D]=jt(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),a.setClear(1),o.setClear(0),nt(i.DEPTH_TEST),a.setFunc(vr),Gt(!1),It(ju),nt(i.CULL_FACE),he(ns);function nt(O){u[O]!==!0&&(i.enable(O),u[O]=!0)}function bt(O){u[O]!==!1&&(i.disable(O),u[O]=!1)}function zt(O,ft){return h[O]!==ft?(i.bindFramebuffer(O,ft),h[O]=ft,O===i.DRAW_FRAMEBUFFER&&(h[i.FRAMEBUFFER]=ft),O===i.FRAMEBUFFER&&(h[i.DRAW_FRAMEBUFFER]=ft),!0):!1}function xt(O,ft){let pt=p,Pt=!1;if(O){pt=f.get(ft),pt===void 0&&(pt=[],f.set(ft,pt));const ut=O.textures;if(pt.length!==ut.length||pt[0]!==i.COLOR_ATTACHMENT0){for(let rt=0,Ft=ut.length;rt<Ft;rt++)pt[rt]=i.COLOR_ATTACHMENT0+rt;pt.length=ut.length,Pt=!0}}else pt[0]!==i.BACK&&(pt[0]=i.BACK,Pt=!0);Pt&&i.drawBuffers(pt)}function Zt(O){return _!==O?(i.useProgram(O),_=O,!0):!1}const De={[ys]:i.FUNC_ADD,[rm]:i.FUNC_SUBTRACT,[am]:i.FUNC_REVERSE_SUBTRACT};De[om]=i.MIN,De[lm]=i.MAX;const I={[cm]:i.ZERO,[um]:i.ONE,[hm]:i.SRC_COLOR,[Hl]:i.SRC_ALPHA,[_m]:i.SRC_ALPHA_SATURATE,[mm]:i.DST_COLOR,[dm]:i.DST_ALPHA,[fm]:i.ONE_MINUS_SRC_COLOR,[Vl]:i.ONE_MINUS_SRC_ALPHA,[gm]:i.ONE_MINUS_DST_COLOR,[pm]:i.ONE_MINUS_DST_ALPHA,[vm]:i.CONSTANT_COLOR,[xm]:i.ONE_MINUS_CONSTANT_COLOR,[Mm]:i.CONSTANT_ALPHA,[Sm]:i.ONE_MINUS_CONSTANT_ALPHA};function he(O,ft,pt,Pt,ut,rt,Ft,Jt,be,de){if(O===ns){x===!0&&(bt(i.BLEND),x=!1);return}if(x===!1&&(nt(i.BLEND),x=!0),O!==sm){if(O!==m||de!==b){if((d!==ys||S!==ys)&&(i.blendEquation(i.FUNC_ADD),d=ys,S=ys),de)switch(O){case mr:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Zu:i.blendFunc(i.ONE,i.ONE);break;case Ju:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case Qu:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:console.error("THREE.WebGLState: Invalid blending: ",O);break}else switch(O){case mr:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Zu:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case Ju:console.error("THREE.WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case Qu:console.error("THREE.WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:console.error("THREE.WebGLState: Invalid blending: ",O);break}T=null,w=null,L=null,R=null,U.set(0,0,0),F=0,m=O,b=de}return}ut=ut||ft,rt=rt||pt,Ft=Ft||Pt,(ft!==d||ut!==S)&&(i.blendEquationSeparate(De[ft],De[ut]),d=ft,S=ut),(pt!==T||Pt!==w||rt!==L||Ft!==R)&&(i.blendFuncSeparate(I[pt],I[Pt],I[rt],I[Ft]),T=pt,w=Pt,L=rt,R=Ft),(Jt.equals(U)===!1||be!==F)&&(i.blendColor(Jt.r,Jt.g,Jt.b,be),U.copy(Jt),F=be),m=O,b=!1}function qt(O,ft){O.side===ai?bt(i.CULL_FACE):nt(i.CULL_FACE);let pt=O.side===An;ft&&(pt=!pt),Gt(pt),O.blending===mr&&O.transparent===!1?he(ns):he(O.blending,O.blendEquation,O.blendSrc,O.blendDst,O.blendEquationAlpha,O.blendSrcAlpha,O.blendDstAlpha,O.blendColor,O.blendAlpha,O.premultipliedAlpha),a.setFunc(O.depthFunc),a.setTest(O.depthTest),a.setMask(O.depthWrite),r.setMask(O.colorWrite);const Pt=O.stencilWrite;o.setTest(Pt),Pt&&(o.setMask(O.stencilWriteMask),o.setFunc(O.stencilFunc,O.stencilRef,O.stencilFuncMask),o.setOp(O.stencilFail,O.stencilZFail,O.stencilZPass)),Ct(O.polygonOffset,O.polygonOffsetFactor,O.polygonOffsetUnits),O.alphaToCoverage===!0?nt(i.SAMPLE_ALPHA_TO_COVERAGE):bt(i.SAMPLE_ALPHA_TO_COVERAGE)}function Gt(O){E!==O&&(O?i.frontFace(i.CW):i.frontFace(i.CCW),E=O)}function It(O){O!==nm?(nt(i.CULL_FACE),O!==C&&(O===ju?i.cullFace(i.BACK):O===im?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):bt(i.CULL_FACE),C=O}function Se(O){O!==z&&($&&i.lineWidth(O),z=O)}function Ct(O,ft,pt){O?(nt(i.POLYGON_OFFSET_FILL),(H!==ft||Y!==pt)&&(i.polygonOffset(ft,pt),H=ft,Y=pt)):bt(i.POLYGON_OFFSET_FILL)}function Vt(O){O?nt(i.SCISSOR_TEST):bt(i.SCISSOR_TEST)}function Ne(O){O===void 0&&(O=i.TEXTURE0+W-1),ot!==O&&(i.activeTexture(O),ot=O)}function _e(O,ft,pt){pt===void 0&&(ot===null?pt=i.TEXTURE0+W-1:pt=ot);let Pt=lt[pt];Pt===void 0&&(Pt={type:void 0,texture:void 0},lt[pt]=Pt),(Pt.type!==O||Pt.texture!==ft)&&(ot!==pt&&(i.activeTexture(pt),ot=pt),i.bindTexture(O,ft||Q[O]),Pt.type=O,Pt.texture=ft)}function P(){const O=lt[ot];O!==void 0&&O.type!==void 0&&(i.bindTexture(O.type,null),O.type=void 0,O.texture=void 0)}function v(){try{i.compressedTexImage2D(...arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function N(){try{i.compressedTexImage3D(...arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function j(){try{i.texSubImage2D(...arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function it(){try{i.texSubImage3D(...arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function et(){try{i.compressedTexSubImage2D(...arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function Nt(){try{i.compressedTexSubImage3D(...arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function ht(){try{i.texStorage2D(...arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function Dt(){try{i.texStorage3D(...arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function At(){try{i.texImage2D(...arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function at(){try{i.texImage3D(...arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function gt(O){_t.equals(O)===!1&&(i.scissor(O.x,O.y,O.z,O.w),_t.copy(O))}function Bt(O){te.equals(O)===!1&&(i.viewport(O.x,O.y,O.z,O.w),te.copy(O))}function Ot(O,ft){let pt=c.get(ft);pt===void 0&&(pt=new WeakMap,c.set(ft,pt));let Pt=pt.get(O);Pt===void 0&&(Pt=i.getUniformBlockIndex(ft,O.name),pt.set(O,Pt))}function Mt(O,ft){const Pt=c.get(ft).get(O);l.get(ft)!==Pt&&(i.uniformBlockBinding(ft,Pt,O.__bindingPointIndex),l.set(ft,Pt))}function Kt(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),a.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),u={},ot=null,lt={},h={},f=new WeakMap,p=[],_=null,x=!1,m=null,d=null,T=null,w=null,S=null,L=null,R=null,U=new ae(0,0,0),F=0,b=!1,E=null,C=null,z=null,H=null,Y=null,_t.set(0,0,i.canvas.width,i.canvas.height),te.set(0,0,i.canvas.width,i.canvas.height),r.reset(),a.reset(),o.reset()}return{buffers:{color:r,depth:a,stencil:o},enable:nt,disable:bt,bindFramebuffer:zt,drawBuffers:xt,useProgram:Zt,setBlending:he,setMaterial:qt,setFlipSided:Gt,setCullFace:It,setLineWidth:Se,setPolygonOffset:Ct,setScissorTest:Vt,activeTexture:Ne,bindTexture:_e,unbindTexture:P,compressedTexImage2D:v,compressedTexImage3D:N,texImage2D:At,texImage3D:at,updateUBOMapping:Ot,uniformBlockBinding:Mt,texStorage2D:ht,texStorage3D:Dt,texSubImage2D:j,texSubImage3D:it,compressedTexSubImage2D:et,compressedTexSubImage3D:Nt,scissor:gt,viewport:Bt,reset:Kt}}function lM(i,t,e,n,s,r,a){const o=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new ie,u=new WeakMap;let h;const f=new WeakMap;let p=!1;try{p=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function _(P,v){return p?new OffscreenCanvas(P,v):yo("canvas")}function x(P,v,N){let j=1;const it=_e(P);if((it.width>N||it.height>N)&&(j=N/Math.max(it.width,it.height)),j<1)if(typeof HTMLImageElement<"u"&&P instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&P instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&P instanceof ImageBitmap||typeof VideoFrame<"u"&&P instanceof VideoFrame){const et=Math.floor(j*it.width),Nt=Math.floor(j*it.height);h===void 0&&(h=_(et,Nt));const ht=v?_(et,Nt):h;return ht.width=et,ht.height=Nt,ht.getContext("2d").drawImage(P,0,0,et,Nt),console.warn("THREE.WebGLRenderer: Texture has been resized from ("+it.width+"x"+it.height+") to ("+et+"x"+Nt+")."),ht}else return"data"in P&&console.warn("THREE.WebGLRenderer: Image in DataTexture is too big ("+it.width+"x"+it.height+")."),P;return P}function m(P){return P.generateMipmaps}function d(P){i.generateMipmap(P)}function T(P){return P.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:P.isWebGL3DRenderTarget?i.TEXTURE_3D:P.isWebGLArrayRenderTarget||P.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function w(P,v,N,j,it=!1){if(P!==null){if(i[P]!==void 0)return i[P];console.warn("THREE.WebGLRenderer: Attempt to use non-existing WebGL internal format '"+P+"'")}let et=v;if(v===i.RED&&(N===i.FLOAT&&(et=i.R32F),N===i.HALF_FLOAT&&(et=i.R16F),N===i.UNSIGNED_BYTE&&(et=i.R8)),v===i.RED_INTEGER&&(N===i.UNSIGNED_BYTE&&(et=i.R8UI),N===i.UNSIGNED_SHORT&&(et=i.R16UI),N===i.UNSIGNED_INT&&(et=i.R32UI),N===i.BYTE&&(et=i.R8I),N===i.SHORT&&(et=i.R16I),N===i.INT&&(et=i.R32I)),v===i.RG&&(N===i.FLOAT&&(et=i.RG32F),N===i.HALF_FLOAT&&(et=i.RG16F),N===i.UNSIGNED_BYTE&&(et=i.RG8)),v===i.RG_INTEGER&&(N===i.UNSIGNED_BYTE&&(et=i.RG8UI),N===i.UNSIGNED_SHORT&&(et=i.RG16UI),N===i.UNSIGNED_INT&&(et=i.RG32UI),N===i.BYTE&&(et=i.RG8I),N===i.SHORT&&(et=i.RG16I),N===i.INT&&(et=i.RG32I)),v===i.RGB_INTEGER&&(N===i.UNSIGNED_BYTE&&(et=i.RGB8UI),N===i.UNSIGNED_SHORT&&(et=i.RGB16UI),N===i.UNSIGNED_INT&&(et=i.RGB32UI),N===i.BYTE&&(et=i.RGB8I),N===i.SHORT&&(et=i.RGB16I),N===i.INT&&(et=i.RGB32I)),v===i.RGBA_INTEGER&&(N===i.UNSIGNED_BYTE&&(et=i.RGBA8UI),N===i.UNSIGNED_SHORT&&(et=i.RGBA16UI),N===i.UNSIGNED_INT&&(et=i.RGBA32UI),N===i.BYTE&&(et=i.RGBA8I),N===i.SHORT&&(et=i.RGBA16I),N===i.INT&&(et=i.RGBA32I)),v===i.RGB&&(N===i.UNSIGNED_INT_5_9_9_9_REV&&(et=i.RGB9_E5),N===i.UNSIGNED_INT_10F_11F_11F_REV&&(et=i.R11F_G11F_B10F)),v===i.RGBA){const Nt=it?xo:fe.getTransfer(j);N===i.FLOAT&&(et=i.RGBA32F),N===i.HALF_FLOAT&&(et=i.RGBA16F),N===i.UNSIGNED_BYTE&&(et=Nt===we?i.SRGB8_ALPHA8:i.RGBA8),N===i.UNSIGNED_SHORT_4_4_4_4&&(et=i.RGBA4),N===i.UNSIGNED_SHORT_5_5_5_1&&(et=i.RGB5_A1)}return(et===i.R16F||et===i.R32F||et===i.RG16F||et===i.RG32F||et===i.RGBA16F||et===i.RGBA32F)&&t.get("EXT_color_buffer_float"),et}function S(P,v){let N;return P?v===null||v===Rs||v===ua?N=i.DEPTH24_STENCIL8:v===xi?N=i.DEPTH32F_STENCIL8:v===ca&&(N=i.DEPTH24_STENCIL8,console.warn("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):v===null||v===Rs||v===ua?N=i.DEPTH_COMPONENT24:v===xi?N=i.DEPTH_COMPONENT32F:v===ca&&(N=i.DEPTH_COMPONENT16),N}function L(P,v){return m(P)===!0||P.isFramebufferTexture&&P.minFilter!==kn&&P.minFilter!==li?Math.log2(Math.max(v.width,v.height))+1:P.mipmaps!==void 0&&P.mipmaps.length>0?P.mipmaps.length:P.isCompressedTexture&&Array.isArray(P.image)?v.mipmaps.length:1}function R(P){const v=P.target;v.removeEventListener("dispose",R),F(v),v.isVideoTexture&&u.delete(v)}function U(P){const v=P.target;v.removeEventListener("dispose",U),E(v)}function F(P){const v=n.get(P);if(v.__webglInit===void 0)return;const N=P.source,j=f.get(N);if(j){const it=j[v.__cacheKey];it.usedTimes--,it.usedTimes===0&&b(P),Object.keys(j).length===0&&f.delete(N)}n.remove(P)}function b(P){const v=n.get(P);i.deleteTexture(v.__webglTexture);const N=P.source,j=f.get(N);delete j[v.__cacheKey],a.memory.textures--}function E(P){const v=n.get(P);if(P.depthTexture&&(P.depthTexture.dispose(),n.remove(P.depthTexture)),P.isWebGLCubeRenderTarget)for(let j=0;j<6;j++){if(Array.isArray(v.__webglFramebuffer[j]))for(let it=0;it<v.__webglFramebuffer[j].length;it++)i.deleteFramebuffer(v.__webglFramebuffer[j][it]);else i.deleteFramebuffer(v.__webglFramebuffer[j]);v.__webglDepthbuffer&&i.deleteRenderbuffer(v.__webglDepthbuffer[j])}else{if(Array.isArray(v.__webglFramebuffer))for(let j=0;j<v.__webglFramebuffer.length;j++)i.deleteFramebuffer(v.__webglFramebuffer[j]);else i.deleteFramebuffer(v.__webglFramebuffer);if(v.__webglDepthbuffer&&i.deleteRenderbuffer(v.__webglDepthbuffer),v.__webglMultisampledFramebuffer&&i.deleteFramebuffer(v.__webglMultisampledFramebuffer),v.__webglColorRenderbuffer)for(let j=0;j<v.__webglColorRenderbuffer.length;j++)v.__webglColorRenderbuffer[j]&&i.deleteRenderbuffer(v.__webglColorRenderbuffer[j]);v.__webglDepthRenderbuffer&&i.deleteRenderbuffer(v.__webglDepthRenderbuffer)}const N=P.textures;for(let j=0,it=N.length;j<it;j++){const et=n.get(N[j]);et.__webglTexture&&(i.deleteTexture(et.__webglTexture),a.memory.textures--),n.remove(N[j])}n.remove(P)}let C=0;function z(){C=0}function H(){const P=C;return P>=s.maxTextures&&console.warn("THREE.WebGLTextures: Trying to use "+P+" texture units while this GPU supports only "+s.maxTextures),C+=1,P}function Y(P){const v=[];return v.push(P.wrapS),v.push(P.wrapT),v.push(P.wrapR||0),v.push(P.magFilter),v.push(P.minFilter),v.push(P.anisotropy),v.push(P.internalFormat),v.push(P.format),v.push(P.type),v.push(P.generateMipmaps),v.push(P.premultiplyAlpha),v.push(P.flipY),v.push(P.unpackAlignment),v.push(P.colorSpace),v.join()}function W(P,v){const N=n.get(P);if(P.isVideoTexture&&Vt(P),P.isRenderTargetTexture===!1&&P.isExternalTexture!==!0&&P.version>0&&N.__version!==P.version){const j=P.image;if(j===null)console.warn("THREE.WebGLRenderer: Texture marked for update but no image data found.");else if(j.complete===!1)console.warn("THREE.WebGLRenderer: Texture marked for update but image is incomplete");else{Q(N,P,v);return}}else P.isExternalTexture&&(N.__webglTexture=P.sourceTexture?P.sourceTexture:null);e.bindTexture(i.TEXTURE_2D,N.__webglTexture,i.TEXTURE0+v)}function $(P,v){const N=n.get(P);if(P.isRenderTargetTexture===!1&&P.version>0&&N.__version!==P.version){Q(N,P,v);return}e.bindTexture(i.TEXTURE_2D_ARRAY,N.__webglTexture,i.TEXTURE0+v)}function q(P,v){const N=n.get(P);if(P.isRenderTargetTexture===!1&&P.version>0&&N.__version!==P.version){Q(N,P,v);return}e.bindTexture(i.TEXTURE_3D,N.__webglTexture,i.TEXTURE0+v)}function J(P,v){const N=n.get(P);if(P.version>0&&N.__version!==P.version){nt(N,P,v);return}e.bindTexture(i.TEXTURE_CUBE_MAP,N.__webglTexture,i.TEXTURE0+v)}const ot={[vo]:i.REPEAT,[ws]:i.CLAMP_TO_EDGE,[Jl]:i.MIRRORED_REPEAT},lt={[kn]:i.NEAREST,[Dm]:i.NEAREST_MIPMAP_NEAREST,[Ra]:i.NEAREST_MIPMAP_LINEAR,[li]:i.LINEAR,[Jo]:i.LINEAR_MIPMAP_NEAREST,[es]:i.LINEAR_MIPMAP_LINEAR},vt={[Nm]:i.NEVER,[Hm]:i.ALWAYS,[Fm]:i.LESS,[Md]:i.LEQUAL,[Om]:i.EQUAL,[km]:i.GEQUAL,[Bm]:i.GREATER,[zm]:i.NOTEQUAL};function St(P,v){if(v.type===xi&&t.has("OES_texture_float_linear")===!1&&(v.magFilter===li||v.magFilter===Jo||v.magFilter===Ra||v.magFilter===es||v.minFilter===li||v.minFilter===Jo||v.minFilter===Ra||v.minFilter===es)&&console.warn("THREE.WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(P,i.TEXTURE_WRAP_S,ot[v.wrapS]),i.texParameteri(P,i.TEXTURE_WRAP_T,ot[v.wrapT]),(P===i.TEXTURE_3D||P===i.TEXTURE_2D_ARRAY)&&i.texParameteri(P,i.TEXTURE_WRAP_R,ot[v.wrapR]),i.texParameteri(P,i.TEXTURE_MAG_FILTER,lt[v.magFilter]),i.texParameteri(P,i.TEXTURE_MIN_FILTER,lt[v.minFilter]),v.compareFunction&&(i.texParameteri(P,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(P,i.TEXTURE_COMPARE_FUNC,vt[v.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(v.magFilter===kn||v.minFilter!==Ra&&v.minFilter!==es||v.type===xi&&t.has("OES_texture_float_linear")===!1)return;if(v.anisotropy>1||n.get(v).__currentAnisotropy){const N=t.get("EXT_texture_filter_anisotropic");i.texParameterf(P,N.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(v.anisotropy,s.getMaxAnisotropy())),n.get(v).__currentAnisotropy=v.anisotropy}}}function _t(P,v){let N=!1;P.__webglInit===void 0&&(P.__webglInit=!0,v.addEventListener("dispose",R));const j=v.source;let it=f.get(j);it===void 0&&(it={},f.set(j,it));const et=Y(v);if(et!==P.__cacheKey){it[et]===void 0&&(it[et]={texture:i.createTexture(),usedTimes:0},a.memory.textures++,N=!0),it[et].usedTimes++;const Nt=it[P.__cacheKey];Nt!==void 0&&(it[P.__cacheKey].usedTimes--,Nt.usedTimes===0&&b(v)),P.__cacheKey=et,P.__webglTexture=it[et].texture}return N}function te(P,v,N){return Math.floor(Math.floor(P/N)/v)}function jt(P,v,N,j){const et=P.updateRanges;if(et.length===0)e.texSubImage2D(i.TEXTURE_2D,0,0,0,v.width,v.height,N,j,v.data);else{et.sort((at,gt)=>at.start-gt.start);let Nt=0;for(let at=1;at<et.length;at++){const gt=et[Nt],Bt=et[at],Ot=gt.start+gt.count,Mt=te(Bt.start,v.width,4),Kt=te(gt.start,v.width,4);Bt.start<=Ot+1&&Mt===Kt&&te(Bt.start+Bt.count-1,v.width,4)===Mt?gt.count=Math.max(gt.count,Bt.start+Bt.count-gt.start):(++Nt,et[Nt]=Bt)}et.length=Nt+1;const ht=i.getParameter(i.UNPACK_ROW_LENGTH),Dt=i.getParameter(i.UNPACK_SKIP_PIXELS),At=i.getParameter(i.UNPACK_SKIP_ROWS);i.pixelStorei(i.UNPACK_ROW_LENGTH,v.width);for(let at=0,gt=et.length;at<gt;at++){const Bt=et[at],Ot=Math.floor(Bt.start/4),Mt=Math.ceil(Bt.count/4),Kt=Ot%v.width,O=Math.floor(Ot/v.width),ft=Mt,pt=1;i.pixelStorei(i.UNPACK_SKIP_PIXELS,Kt),i.pixelStorei(i.UNPACK_SKIP_ROWS,O),e.texSubImage2D(i.TEXTURE_2D,0,Kt,O,ft,pt,N,j,v.data)}P.clearUpdateRanges(),i.pixelStorei(i.UNPACK_ROW_LENGTH,ht),i.pixelStorei(i.UNPACK_SKIP_PIXELS,Dt),i.pixelStorei(i.UNPACK_SKIP_ROWS,At)}}function Q(P,v,N){let j=i.TEXTURE_2D;(v.isDataArrayTexture||v.isCompressedArrayTexture)&&(j=i.TEXTURE_2D_ARRAY),v.isData3DTexture&&(j=i.TEXTURE_3D);const it=_t(P,v),et=v.source;e.bindTexture(j,P.__webglTexture,i.TEXTURE0+N);const Nt=n.get(et);if(et.version!==Nt.__version||it===!0){e.activeTexture(i.TEXTURE0+N);const ht=fe.getPrimaries(fe.workingColorSpace),Dt=v.colorSpace===ts?null:fe.getPrimaries(v.colorSpace),At=v.colorSpace===ts||ht===Dt?i.NONE:i.BROWSER_DEFAULT_WEBGL;i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,v.flipY),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,v.premultiplyAlpha),i.pixelStorei(i.UNPACK_ALIGNMENT,v.unpackAlignment),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,At);let at=x(v.image,!1,s.maxTextureSize);at=Ne(v,at);const gt=r.convert(v.format,v.colorSpace),Bt=r.convert(v.type);let Ot=w(v.internalFormat,gt,Bt,v.colorSpace,v.isVideoTexture);St(j,v);let Mt;const Kt=v.mipmaps,O=v.isVideoTexture!==!0,ft=Nt.__version===void 0||it===!0,pt=et.dataReady,Pt=L(v,at);if(v.isDepthTexture)Ot=S(v.format===fa,v.type),ft&&(O?e.texStorage2D(i.TEXTURE_2D,1,Ot,at.width,at.height):e.texImage2D(i.TEXTURE_2D,0,Ot,at.width,at.height,0,gt,Bt,null));else if(v.isDataTexture)if(Kt.length>0){O&&ft&&e.texStorage2D(i.TEXTURE_2D,Pt,Ot,Kt[0].width,Kt[0].height);for(let ut=0,rt=Kt.length;ut<rt;ut++)Mt=Kt[ut],O?pt&&e.texSubImage2D(i.TEXTURE_2D,ut,0,0,Mt.width,Mt.height,gt,Bt,Mt.data):e.texImage2D(i.TEXTURE_2D,ut,Ot,Mt.width,Mt.height,0,gt,Bt,Mt.data);v.generateMipmaps=!1}else O?(ft&&e.texStorage2D(i.TEXTURE_2D,Pt,Ot,at.width,at.height),pt&&jt(v,at,gt,Bt)):e.texImage2D(i.TEXTURE_2D,0,Ot,at.width,at.height,0,gt,Bt,at.data);else if(v.isCompressedTexture)if(v.isCompressedArrayTexture){O&&ft&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Pt,Ot,Kt[0].width,Kt[0].height,at.depth);for(let ut=0,rt=Kt.length;ut<rt;ut++)if(Mt=Kt[ut],v.format!==ci)if(gt!==null)if(O){if(pt)if(v.layerUpdates.size>0){const Ft=Uh(Mt.width,Mt.height,v.format,v.type);for(const Jt of v.layerUpdates){const be=Mt.data.subarray(Jt*Ft/Mt.data.BYTES_PER_ELEMENT,(Jt+1)*Ft/Mt.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ut,0,0,Jt,Mt.width,Mt.height,1,gt,be)}v.clearLayerUpdates()}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ut,0,0,0,Mt.width,Mt.height,at.depth,gt,Mt.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,ut,Ot,Mt.width,Mt.height,at.depth,0,Mt.data,0,0);else console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else O?pt&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,ut,0,0,0,Mt.width,Mt.height,at.depth,gt,Bt,Mt.data):e.texImage3D(i.TEXTURE_2D_ARRAY,ut,Ot,Mt.width,Mt.height,at.depth,0,gt,Bt,Mt.data)}else{O&&ft&&e.texStorage2D(i.TEXTURE_2D,Pt,Ot,Kt[0].width,Kt[0].height);for(let ut=0,rt=Kt.length;ut<rt;ut++)Mt=Kt[ut],v.format!==ci?gt!==null?O?pt&&e.compressedTexSubImage2D(i.TEXTURE_2D,ut,0,0,Mt.width,Mt.height,gt,Mt.data):e.compressedTexImage2D(i.TEXTURE_2D,ut,Ot,Mt.width,Mt.height,0,Mt.data):console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):O?pt&&e.texSubImage2D(i.TEXTURE_2D,ut,0,0,Mt.width,Mt.height,gt,Bt,Mt.data):e.texImage2D(i.TEXTURE_2D,ut,Ot,Mt.width,Mt.height,0,gt,Bt,Mt.data)}else if(v.isDataArrayTexture)if(O){if(ft&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Pt,Ot,at.width,at.height,at.depth),pt)if(v.layerUpdates.size>0){const ut=Uh(at.width,at.height,v.format,v.type);for(const rt of v.layerUpdates){const Ft=at.data.subarray(rt*ut/at.data.BYTES_PER_ELEMENT,(rt+1)*ut/at.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,rt,at.width,at.height,1,gt,Bt,Ft)}v.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,at.width,at.height,at.depth,gt,Bt,at.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,Ot,at.width,at.height,at.depth,0,gt,Bt,at.data);else if(v.isData3DTexture)O?(ft&&e.texStorage3D(i.TEXTURE_3D,Pt,Ot,at.width,at.height,at.depth),pt&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,at.width,at.height,at.depth,gt,Bt,at.data)):e.texImage3D(i.TEXTURE_3D,0,Ot,at.width,at.height,at.depth,0,gt,Bt,at.data);else if(v.isFramebufferTexture){if(ft)if(O)e.texStorage2D(i.TEXTURE_2D,Pt,Ot,at.width,at.height);else{let ut=at.width,rt=at.height;for(let Ft=0;Ft<Pt;Ft++)e.texImage2D(i.TEXTURE_2D,Ft,Ot,ut,rt,0,gt,Bt,null),ut>>=1,rt>>=1}}else if(Kt.length>0){if(O&&ft){const ut=_e(Kt[0]);e.texStorage2D(i.TEXTURE_2D,Pt,Ot,ut.width,ut.height)}for(let ut=0,rt=Kt.length;ut<rt;ut++)Mt=Kt[ut],O?pt&&e.texSubImage2D(i.TEXTURE_2D,ut,0,0,gt,Bt,Mt):e.texImage2D(i.TEXTURE_2D,ut,Ot,gt,Bt,Mt);v.generateMipmaps=!1}else if(O){if(ft){const ut=_e(at);e.texStorage2D(i.TEXTURE_2D,Pt,Ot,ut.width,ut.height)}pt&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,gt,Bt,at)}else e.texImage2D(i.TEXTURE_2D,0,Ot,gt,Bt,at);m(v)&&d(j),Nt.__version=et.version,v.onUpdate&&v.onUpdate(v)}P.__version=v.version}function nt(P,v,N){if(v.image.length!==6)return;const j=_t(P,v),it=v.source;e.bindTexture(i.TEXTURE_CUBE_MAP,P.__webglTexture,i.TEXTURE0+N);const et=n.get(it);if(it.version!==et.__version||j===!0){e.activeTexture(i.TEXTURE0+N);const Nt=fe.getPrimaries(fe.workingColorSpace),ht=v.colorSpace===ts?null:fe.getPrimaries(v.colorSpace),Dt=v.colorSpace===ts||Nt===ht?i.NONE:i.BROWSER_DEFAULT_WEBGL;i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,v.flipY),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,v.premultiplyAlpha),i.pixelStorei(i.UNPACK_ALIGNMENT,v.unpackAlignment),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Dt);const At=v.isCompressedTexture||v.image[0].isCompressedTexture,at=v.image[0]&&v.image[0].isDataTexture,gt=[];for(let rt=0;rt<6;rt++)!At&&!at?gt[rt]=x(v.image[rt],!0,s.maxCubemapSize):gt[rt]=at?v.image[rt].image:v.image[rt],gt[rt]=Ne(v,gt[rt]);const Bt=gt[0],Ot=r.convert(v.format,v.colorSpace),Mt=r.convert(v.type),Kt=w(v.internalFormat,Ot,Mt,v.colorSpace),O=v.isVideoTexture!==!0,ft=et.__version===void 0||j===!0,pt=it.dataReady;let Pt=L(v,Bt);St(i.TEXTURE_CUBE_MAP,v);let ut;if(At){O&&ft&&e.texStorage2D(i.TEXTURE_CUBE_MAP,Pt,Kt,Bt.width,Bt.height);for(let rt=0;rt<6;rt++){ut=gt[rt].mipmaps;for(let Ft=0;Ft<ut.length;Ft++){const Jt=ut[Ft];v.format!==ci?Ot!==null?O?pt&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft,0,0,Jt.width,Jt.height,Ot,Jt.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft,Kt,Jt.width,Jt.height,0,Jt.data):console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):O?pt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft,0,0,Jt.width,Jt.height,Ot,Mt,Jt.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft,Kt,Jt.width,Jt.height,0,Ot,Mt,Jt.data)}}}else{if(ut=v.mipmaps,O&&ft){ut.length>0&&Pt++;const rt=_e(gt[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,Pt,Kt,rt.width,rt.height)}for(let rt=0;rt<6;rt++)if(at){O?pt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0,0,0,gt[rt].width,gt[rt].height,Ot,Mt,gt[rt].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0,Kt,gt[rt].width,gt[rt].height,0,Ot,Mt,gt[rt].data);for(let Ft=0;Ft<ut.length;Ft++){const be=ut[Ft].image[rt].image;O?pt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft+1,0,0,be.width,be.height,Ot,Mt,be.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft+1,Kt,be.width,be.height,0,Ot,Mt,be.data)}}else{O?pt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0,0,0,Ot,Mt,gt[rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0,Kt,Ot,Mt,gt[rt]);for(let Ft=0;Ft<ut.length;Ft++){const Jt=ut[Ft];O?pt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft+1,0,0,Ot,Mt,Jt.image[rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft+1,Kt,Ot,Mt,Jt.image[rt])}}}m(v)&&d(i.TEXTURE_CUBE_MAP),et.__version=it.version,v.onUpdate&&v.onUpdate(v)}P.__version=v.version}function bt(P,v,N,j,it,et){const Nt=r.convert(N.format,N.colorSpace),ht=r.convert(N.type),Dt=w(N.internalFormat,Nt,ht,N.colorSpace),At=n.get(v),at=n.get(N);if(at.__renderTarget=v,!At.__hasExternalTextures){const gt=Math.max(1,v.width>>et),Bt=Math.max(1,v.height>>et);it===i.TEXTURE_3D||it===i.TEXTURE_2D_ARRAY?e.texImage3D(it,et,Dt,gt,Bt,v.depth,0,Nt,ht,null):e.texImage2D(it,et,Dt,gt,Bt,0,Nt,ht,null)}e.bindFramebuffer(i.FRAMEBUFFER,P),Ct(v)?o.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,j,it,at.__webglTexture,0,Se(v)):(it===i.TEXTURE_2D||it>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&it<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,j,it,at.__webglTexture,et),e.bindFramebuffer(i.FRAMEBUFFER,null)}function zt(P,v,N){if(i.bindRenderbuffer(i.RENDERBUFFER,P),v.depthBuffer){const j=v.depthTexture,it=j&&j.isDepthTexture?j.type:null,et=S(v.stencilBuffer,it),Nt=v.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ht=Se(v);Ct(v)?o.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,ht,et,v.width,v.height):N?i.renderbufferStorageMultisample(i.RENDERBUFFER,ht,et,v.width,v.height):i.renderbufferStorage(i.RENDERBUFFER,et,v.width,v.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,Nt,i.RENDERBUFFER,P)}else{const j=v.textures;for(let it=0;it<j.length;it++){const et=j[it],Nt=r.convert(et.format,et.colorSpace),ht=r.convert(et.type),Dt=w(et.internalFormat,Nt,ht,et.colorSpace),At=Se(v);N&&Ct(v)===!1?i.renderbufferStorageMultisample(i.RENDERBUFFER,At,Dt,v.width,v.height):Ct(v)?o.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,At,Dt,v.width,v.height):i.renderbufferStorage(i.RENDERBUFFER,Dt,v.width,v.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function xt(P,v){if(v&&v.isWebGLCubeRenderTarget)throw new Error("Depth Texture with cube render targets is not supported");if(e.bindFramebuffer(i.FRAMEBUFFER,P),!(v.depthTexture&&v.depthTexture.isDepthTexture))throw new Error("renderTarget.depthTexture must be an instance of THREE.DepthTexture");const j=n.get(v.depthTexture);j.__renderTarget=v,(!j.__webglTexture||v.depthTexture.image.width!==v.width||v.depthTexture.image.height!==v.height)&&(v.depthTexture.image.width=v.width,v.depthTexture.image.height=v.height,v.depthTexture.needsUpdate=!0),W(v.depthTexture,0);const it=j.__webglTexture,et=Se(v);if(v.depthTexture.format===ha)Ct(v)?o.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,i.DEPTH_ATTACHMENT,i.TEXTURE_2D,it,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,i.DEPTH_ATTACHMENT,i.TEXTURE_2D,it,0);else if(v.depthTexture.format===fa)Ct(v)?o.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,i.DEPTH_STENCIL_ATTACHMENT,i.TEXTURE_2D,it,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,i.DEPTH_STENCIL_ATTACHMENT,i.TEXTURE_2D,it,0);else throw new Error("Unknown depthTexture format")}function Zt(P){const v=n.get(P),N=P.isWebGLCubeRenderTarget===!0;if(v.__boundDepthTexture!==P.depthTexture){const j=P.depthTexture;if(v.__depthDisposeCallback&&v.__depthDisposeCallback(),j){const it=()=>{delete v.__boundDepthTexture,delete v.__depthDisposeCallback,j.removeEventListener("dispose",it)};j.addEventListener("dispose",it),v.__depthDisposeCallback=it}v.__boundDepthTexture=j}if(P.depthTexture&&!v.__autoAllocateDepthBuffer){if(N)throw new Error("target.depthTexture not supported in Cube render targets");const j=P.texture.mipmaps;j&&j.length>0?xt(v.__webglFramebuffer[0],P):xt(v.__webglFramebuffer,P)}else if(N){v.__webglDepthbuffer=[];for(let j=0;j<6;j++)if(e.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer[j]),v.__webglDepthbuffer[j]===void 0)v.__webglDepthbuffer[j]=i.createRenderbuffer(),zt(v.__webglDepthbuffer[j],P,!1);else{const it=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,et=v.__webglDepthbuffer[j];i.bindRenderbuffer(i.RENDERBUFFER,et),i.framebufferRenderbuffer(i.FRAMEBUFFER,it,i.RENDERBUFFER,et)}}else{const j=P.texture.mipmaps;if(j&&j.length>0?e.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer[0]):e.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer),v.__webglDepthbuffer===void 0)v.__webglDepthbuffer=i.createRenderbuffer(),zt(v.__webglDepthbuffer,P,!1);else{const it=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,et=v.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,et),i.framebufferRenderbuffer(i.FRAMEBUFFER,it,i.RENDERBUFFER,et)}}e.bindFramebuffer(i.FRAMEBUFFER,null)}function De(P,v,N){const j=n.get(P);v!==void 0&&bt(j.__webglFramebuffer,P,P.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),N!==void 0&&Zt(P)}function I(P){const v=P.texture,N=n.get(P),j=n.get(v);P.addEventListener("dispose",U);const it=P.textures,et=P.isWebGLCubeRenderTarget===!0,Nt=it.length>1;if(Nt||(j.__webglTexture===void 0&&(j.__webglTexture=i.createTexture()),j.__version=v.version,a.memory.textures++),et){N.__webglFramebuffer=[];for(let ht=0;ht<6;ht++)if(v.mipmaps&&v.mipmaps.length>0){N.__webglFramebuffer[ht]=[];for(let Dt=0;Dt<v.mipmaps.length;Dt++)N.__webglFramebuffer[ht][Dt]=i.createFramebuffer()}else N.__webglFramebuffer[ht]=i.createFramebuffer()}else{if(v.mipmaps&&v.mipmaps.length>0){N.__webglFramebuffer=[];for(let ht=0;ht<v.mipmaps.length;ht++)N.__webglFramebuffer[ht]=i.createFramebuffer()}else N.__webglFramebuffer=i.createFramebuffer();if(Nt)for(let ht=0,Dt=it.length;ht<Dt;ht++){const At=n.get(it[ht]);At.__webglTexture===void 0&&(At.__webglTexture=i.createTexture(),a.memory.textures++)}if(P.samples>0&&Ct(P)===!1){N.__webglMultisampledFramebuffer=i.createFramebuffer(),N.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,N.__webglMultisampledFramebuffer);for(let ht=0;ht<it.length;ht++){const Dt=it[ht];N.__webglColorRenderbuffer[ht]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,N.__webglColorRenderbuffer[ht]);const At=r.convert(Dt.format,Dt.colorSpace),at=r.convert(Dt.type),gt=w(Dt.internalFormat,At,at,Dt.colorSpace,P.isXRRenderTarget===!0),Bt=Se(P);i.renderbufferStorageMultisample(i.RENDERBUFFER,Bt,gt,P.width,P.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+ht,i.RENDERBUFFER,N.__webglColorRenderbuffer[ht])}i.bindRenderbuffer(i.RENDERBUFFER,null),P.depthBuffer&&(N.__webglDepthRenderbuffer=i.createRenderbuffer(),zt(N.__webglDepthRenderbuffer,P,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(et){e.bindTexture(i.TEXTURE_CUBE_MAP,j.__webglTexture),St(i.TEXTURE_CUBE_MAP,v);for(let ht=0;ht<6;ht++)if(v.mipmaps&&v.mipmaps.length>0)for(let Dt=0;Dt<v.mipmaps.length;Dt++)bt(N.__webglFramebuffer[ht][Dt],P,v,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+ht,Dt);else bt(N.__webglFramebuffer[ht],P,v,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+ht,0);m(v)&&d(i.TEXTURE_CUBE_MAP),e.unbindTexture()}else if(Nt){for(let ht=0,Dt=it.length;ht<Dt;ht++){const At=it[ht],at=n.get(At);let gt=i.TEXTURE_2D;(P.isWebGL3DRenderTarget||P.isWebGLArrayRenderTarget)&&(gt=P.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(gt,at.__webglTexture),St(gt,At),bt(N.__webglFramebuffer,P,At,i.COLOR_ATTACHMENT0+ht,gt,0),m(At)&&d(gt)}e.unbindTexture()}else{let ht=i.TEXTURE_2D;if((P.isWebGL3DRenderTarget||P.isWebGLArrayRenderTarget)&&(ht=P.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(ht,j.__webglTexture),St(ht,v),v.mipmaps&&v.mipmaps.length>0)for(let Dt=0;Dt<v.mipmaps.length;Dt++)bt(N.__webglFramebuffer[Dt],P,v,i.COLOR_ATTACHMENT0,ht,Dt);else bt(N.__webglFramebuffer,P,v,i.COLOR_ATTACHMENT0,ht,0);m(v)&&d(ht),e.unbindTexture()}P.depthBuffer&&Zt(P)}function he(P){const v=P.textures;for(let N=0,j=v.length;N<j;N++){const it=v[N];if(m(it)){const et=T(P),Nt=n.get(it).__webglTexture;e.bindTexture(et,Nt),d(et),e.unbindTexture()}}}const qt=[],Gt=[];function It(P){if(P.samples>0){if(Ct(P)===!1){const v=P.textures,N=P.width,j=P.height;let it=i.COLOR_BUFFER_BIT;const et=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,Nt=n.get(P),ht=v.length>1;if(ht)for(let At=0;At<v.length;At++)e.bindFramebuffer(i.FRAMEBUFFER,Nt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+At,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,Nt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+At,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,Nt.__webglMultisampledFramebuffer);const Dt=P.texture.mipmaps;Dt&&Dt.length>0?e.bindFramebuffer(i.DRAW_FRAMEBUFFER,Nt.__webglFramebuffer[0]):e.bindFramebuffer(i.DRAW_FRAMEBUFFER,Nt.__webglFramebuffer);for(let At=0;At<v.length;At++){if(P.resolveDepthBuffer&&(P.depthBuffer&&(it|=i.DEPTH_BUFFER_BIT),P.stencilBuffer&&P.resolveStencilBuffer&&(it|=i.STENCIL_BUFFER_BIT)),ht){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,Nt.__webglColorRenderbuffer[At]);const at=n.get(v[At]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,at,0)}i.blitFramebuffer(0,0,N,j,0,0,N,j,it,i.NEAREST),l===!0&&(qt.length=0,Gt.length=0,qt.push(i.COLOR_ATTACHMENT0+At),P.depthBuffer&&P.resolveDepthBuffer===!1&&(qt.push(et),Gt.push(et),i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,Gt)),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,qt))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),ht)for(let At=0;At<v.length;At++){e.bindFramebuffer(i.FRAMEBUFFER,Nt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+At,i.RENDERBUFFER,Nt.__webglColorRenderbuffer[At]);const at=n.get(v[At]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,Nt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+At,i.TEXTURE_2D,at,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,Nt.__webglMultisampledFramebuffer)}else if(P.depthBuffer&&P.resolveDepthBuffer===!1&&l){const v=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[v])}}}function Se(P){return Math.min(s.maxSamples,P.samples)}function Ct(P){const v=n.get(P);return P.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&v.__useRenderToTexture!==!1}function Vt(P){const v=a.render.frame;u.get(P)!==v&&(u.set(P,v),P.update())}function Ne(P,v){const N=P.colorSpace,j=P.format,it=P.type;return P.isCompressedTexture===!0||P.isVideoTexture===!0||N!==Cs&&N!==ts&&(fe.getTransfer(N)===we?(j!==ci||it!==yi)&&console.warn("THREE.WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):console.error("THREE.WebGLTextures: Unsupported texture color space:",N)),v}function _e(P){return typeof HTMLImageElement<"u"&&P instanceof HTMLImageElement?(c.width=P.naturalWidth||P.width,c.height=P.naturalHeight||P.height):typeof VideoFrame<"u"&&P instanceof VideoFrame?(c.width=P.displayWidth,c.height=P.displayHeight):(c.width=P.width,c.height=P.height),c}this.allocateTextureUnit=H,this.resetTextureUnits=z,this.setTexture2D=W,this.setTexture2DArray=$,this.setTexture3D=q,this.setTextureCube=J,this.rebindTextures=De,this.setupRenderTarget=I,this.updateRenderTargetMipmap=he,this.updateMultisampleRenderTarget=It,this.setupDepthRenderbuffer=Zt,this.setupFrameBufferTexture=bt,this.useMultisampledRTT=Ct}function cM(i,t){function e(n,s=ts){let r;const a=fe.getTransfer(s);if(n===yi)return i.UNSIGNED_BYTE;if(n===Kc)return i.UNSIGNED_SHORT_4_4_4_4;if(n===jc)return i.UNSIGNED_SHORT_5_5_5_1;if(n===pd)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===md)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===fd)return i.BYTE;if(n===dd)return i.SHORT;if(n===ca)return i.UNSIGNED_SHORT;if(n===$c)return i.INT;if(n===Rs)return i.UNSIGNED_INT;if(n===xi)return i.FLOAT;if(n===xa)return i.HALF_FLOAT;if(n===gd)return i.ALPHA;if(n===_d)return i.RGB;if(n===ci)return i.RGBA;if(n===ha)return i.DEPTH_COMPONENT;if(n===fa)return i.DEPTH_STENCIL;if(n===Zc)return i.RED;if(n===Jc)return i.RED_INTEGER;if(n===vd)return i.RG;if(n===Qc)return i.RG_INTEGER;if(n===tu)return i.RGBA_INTEGER;if(n===co||n===uo||n===ho||n===fo)if(a===we)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===co)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===uo)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===ho)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===fo)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===co)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===uo)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===ho)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===fo)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===Ql||n===tc||n===ec||n===nc)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===Ql)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===tc)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===ec)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===nc)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===ic||n===sc||n===rc)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===ic||n===sc)return a===we?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===rc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC}else return null;if(n===ac||n===oc||n===lc||n===cc||n===uc||n===hc||n===fc||n===dc||n===pc||n===mc||n===gc||n===_c||n===vc||n===xc)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===ac)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===oc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===lc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===cc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===uc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===hc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===fc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===dc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===pc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===mc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===gc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===_c)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===vc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===xc)return a===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===Mc||n===Sc||n===yc)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===Mc)return a===we?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Sc)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===yc)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Ec||n===bc||n===Tc||n===wc)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===Ec)return r.COMPRESSED_RED_RGTC1_EXT;if(n===bc)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===Tc)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===wc)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===ua?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}const uM=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,hM=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`;class fM{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){const n=new Nd(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=n}}getMesh(t){if(this.texture!==null&&this.mesh===null){const e=t.cameras[0].viewport,n=new Bi({vertexShader:uM,fragmentShader:hM,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new zn(new Ma(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}}class dM extends wr{constructor(t,e){super();const n=this;let s=null,r=1,a=null,o="local-floor",l=1,c=null,u=null,h=null,f=null,p=null,_=null;const x=typeof XRWebGLBinding<"u",m=new fM,d={},T=e.getContextAttributes();let w=null,S=null;const L=[],R=[],U=new ie;let F=null;const b=new Pn;b.viewport=new Ge;const E=new Pn;E.viewport=new Ge;const C=[b,E],z=new Ug;let H=null,Y=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(Q){let nt=L[Q];return nt===void 0&&(nt=new Ml,L[Q]=nt),nt.getTargetRaySpace()},this.getControllerGrip=function(Q){let nt=L[Q];return nt===void 0&&(nt=new Ml,L[Q]=nt),nt.getGripSpace()},this.getHand=function(Q){let nt=L[Q];return nt===void 0&&(nt=new Ml,L[Q]=nt),nt.getHandSpace()};function W(Q){const nt=R.indexOf(Q.inputSource);if(nt===-1)return;const bt=L[nt];bt!==void 0&&(bt.update(Q.inputSource,Q.frame,c||a),bt.dispatchEvent({type:Q.type,data:Q.inputSource}))}function $(){s.removeEventListener("select",W),s.removeEventListener("selectstart",W),s.removeEventListener("selectend",W),s.removeEventListener("squeeze",W),s.removeEventListener("squeezestart",W),s.removeEventListener("squeezeend",W),s.removeEventListener("end",$),s.removeEventListener("inputsourceschange",q);for(let Q=0;Q<L.length;Q++){const nt=R[Q];nt!==null&&(R[Q]=null,L[Q].disconnect(nt))}H=null,Y=null,m.reset();for(const Q in d)delete d[Q];t.setRenderTarget(w),p=null,f=null,h=null,s=null,S=null,jt.stop(),n.isPresenting=!1,t.setPixelRatio(F),t.setSize(U.width,U.height,!1),n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(Q){r=Q,n.isPresenting===!0&&console.warn("THREE.WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(Q){o=Q,n.isPresenting===!0&&console.warn("THREE.WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||a},this.setReferenceSpace=function(Q){c=Q},this.getBaseLayer=function(){return f!==null?f:p},this.getBinding=function(){return h===null&&x&&(h=new XRWebGLBinding(s,e)),h},this.getFrame=function(){return _},this.getSession=function(){return s},this.setSession=async function(Q){if(s=Q,s!==null){if(w=t.getRenderTarget(),s.addEventListener("select",W),s.addEventListener("selectstart",W),s.addEventListener("selectend",W),s.addEventListener("squeeze",W),s.addEventListener("squeezestart",W),s.addEventListener("squeezeend",W),s.addEventListener("end",$),s.addEventListener("inputsourceschange",q),T.xrCompatible!==!0&&await e.makeXRCompatible(),F=t.getPixelRatio(),t.getSize(U),x&&"createProjectionLayer"in XRWebGLBinding.prototype){let bt=null,zt=null,xt=null;T.depth&&(xt=T.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,bt=T.stencil?fa:ha,zt=T.stencil?ua:Rs);const Zt={colorFormat:e.RGBA8,depthFormat:xt,scaleFactor:r};h=this.getBinding(),f=h.createProjectionLayer(Zt),s.updateRenderState({layers:[f]}),t.setPixelRatio(1),t.setSize(f.textureWidth,f.textureHeight,!1),S=new rs(f.textureWidth,f.textureHeight,{format:ci,type:yi,depthTexture:new Id(f.textureWidth,f.textureHeight,zt,void 0,void 0,void 0,void 0,void 0,void 0,bt),stencilBuffer:T.stencil,colorSpace:t.outputColorSpace,samples:T.antialias?4:0,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1})}else{const bt={antialias:T.antialias,alpha:!0,depth:T.depth,stencil:T.stencil,framebufferScaleFactor:r};p=new XRWebGLLayer(s,e,bt),s.updateRenderState({baseLayer:p}),t.setPixelRatio(1),t.setSize(p.framebufferWidth,p.framebufferHeight,!1),S=new rs(p.framebufferWidth,p.framebufferHeight,{format:ci,type:yi,colorSpace:t.outputColorSpace,stencilBuffer:T.stencil,resolveDepthBuffer:p.ignoreDepthValues===!1,resolveStencilBuffer:p.ignoreDepthValues===!1})}S.isXRRenderTarget=!0,this.setFoveation(l),c=null,a=await s.requestReferenceSpace(o),jt.setContext(s),jt.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function q(Q){for(let nt=0;nt<Q.removed.length;nt++){const bt=Q.removed[nt],zt=R.indexOf(bt);zt>=0&&(R[zt]=null,L[zt].disconnect(bt))}for(let nt=0;nt<Q.added.length;nt++){const bt=Q.added[nt];let zt=R.indexOf(bt);if(zt===-1){for(let Zt=0;Zt<L.length;Zt++)if(Zt>=R.length){R.push(bt),zt=Zt;break}else if(R[Zt]===null){R[Zt]=bt,zt=Zt;break}if(zt===-1)break}const xt=L[zt];xt&&xt.connect(bt)}}const J=new V,ot=new V;function lt(Q,nt,bt){J.setFromMatrixPosition(nt.matrixWorld),ot.setFromMatrixPosition(bt.matrixWorld);const zt=J.distanceTo(ot),xt=nt.projectionMatrix.elements,Zt=bt.projectionMatrix.elements,De=xt[14]/(xt[10]-1),I=xt[14]/(xt[10]+1),he=(xt[9]+1)/xt[5],qt=(xt[9]-1)/xt[5],Gt=(xt[8]-1)/xt[0],It=(Zt[8]+1)/Zt[0],Se=De*Gt,Ct=De*It,Vt=zt/(-Gt+It),Ne=Vt*-Gt;if(nt.matrixWorld.decompose(Q.position,Q.quaternion,Q.scale),Q.translateX(Ne),Q.translateZ(Vt),Q.matrixWorld.compose(Q.position,Q.quaternion,Q.scale),Q.matrixWorldInverse.copy(Q.matrixWorld).invert(),xt[10]===-1)Q.projectionMatrix.copy(nt.projectionMatrix),Q.projectionMatrixInverse.copy(nt.projectionMatrixInverse);else{const _e=De+Vt,P=I+Vt,v=Se-Ne,N=Ct+(zt-Ne),j=he*I/P*_e,it=qt*I/P*_e;Q.projectionMatrix.makePerspective(v,N,j,it,_e,P),Q.projectionMatrixInverse.copy(Q.projectionMatrix).invert()}}function vt(Q,nt){nt===null?Q.matrixWorld.copy(Q.matrix):Q.matrixWorld.multiplyMatrices(nt.matrixWorld,Q.matrix),Q.matrixWorldInverse.copy(Q.matrixWorld).invert()}this.updateCamera=function(Q){if(s===null)return;let nt=Q.near,bt=Q.far;m.texture!==null&&(m.depthNear>0&&(nt=m.depthNear),m.depthFar>0&&(bt=m.depthFar)),z.near=E.near=b.near=nt,z.far=E.far=b.far=bt,(H!==z.near||Y!==z.far)&&(s.updateRenderState({depthNear:z.near,depthFar:z.far}),H=z.near,Y=z.far),z.layers.mask=Q.layers.mask|6,b.layers.mask=z.layers.mask&3,E.layers.mask=z.layers.mask&5;const zt=Q.parent,xt=z.cameras;vt(z,zt);for(let Zt=0;Zt<xt.length;Zt++)vt(xt[Zt],zt);xt.length===2?lt(z,b,E):z.projectionMatrix.copy(b.projectionMatrix),St(Q,z,zt)};function St(Q,nt,bt){bt===null?Q.matrix.copy(nt.matrixWorld):(Q.matrix.copy(bt.matrixWorld),Q.matrix.invert(),Q.matrix.multiply(nt.matrixWorld)),Q.matrix.decompose(Q.position,Q.quaternion,Q.scale),Q.updateMatrixWorld(!0),Q.projectionMatrix.copy(nt.projectionMatrix),Q.projectionMatrixInverse.copy(nt.projectionMatrixInverse),Q.isPerspectiveCamera&&(Q.fov=So*2*Math.atan(1/Q.projectionMatrix.elements[5]),Q.zoom=1)}this.getCamera=function(){return z},this.getFoveation=function(){if(!(f===null&&p===null))return l},this.setFoveation=function(Q){l=Q,f!==null&&(f.fixedFoveation=Q),p!==null&&p.fixedFoveation!==void 0&&(p.fixedFoveation=Q)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(z)},this.getCameraTexture=function(Q){return d[Q]};let _t=null;function te(Q,nt){if(u=nt.getViewerPose(c||a),_=nt,u!==null){const bt=u.views;p!==null&&(t.setRenderTargetFramebuffer(S,p.framebuffer),t.setRenderTarget(S));let zt=!1;bt.length!==z.cameras.length&&(z.cameras.length=0,zt=!0);for(let I=0;I<bt.length;I++){const he=bt[I];let qt=null;if(p!==null)qt=p.getViewport(he);else{const It=h.getViewSubImage(f,he);qt=It.viewport,I===0&&(t.setRenderTargetTextures(S,It.colorTexture,It.depthStencilTexture),t.setRenderTarget(S))}let Gt=C[I];Gt===void 0&&(Gt=new Pn,Gt.layers.enable(I),Gt.viewport=new Ge,C[I]=Gt),Gt.matrix.fromArray(he.transform.matrix),Gt.matrix.decompose(Gt.position,Gt.quaternion,Gt.scale),Gt.projectionMatrix.fromArray(he.projectionMatrix),Gt.projectionMatrixInverse.copy(Gt.projectionMatrix).invert(),Gt.viewport.set(qt.x,qt.y,qt.width,qt.height),I===0&&(z.matrix.copy(Gt.matrix),z.matrix.decompose(z.position,z.quaternion,z.scale)),zt===!0&&z.cameras.push(Gt)}const xt=s.enabledFeatures;if(xt&&xt.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&x){h=n.getBinding();const I=h.getDepthInformation(bt[0]);I&&I.isValid&&I.texture&&m.init(I,s.renderState)}if(xt&&xt.includes("camera-access")&&x){t.state.unbindTexture(),h=n.getBinding();for(let I=0;I<bt.length;I++){const he=bt[I].camera;if(he){let qt=d[he];qt||(qt=new Nd,d[he]=qt);const Gt=h.getCameraImage(he);qt.sourceTexture=Gt}}}}for(let bt=0;bt<L.length;bt++){const zt=R[bt],xt=L[bt];zt!==null&&xt!==void 0&&xt.update(zt,nt,c||a)}_t&&_t(Q,nt),nt.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:nt}),_=null}const jt=new Od;jt.setAnimationLoop(te),this.setAnimationLoop=function(Q){_t=Q},this.dispose=function(){}}}const vs=new Ei,pM=new Ee;function mM(i,t){function e(m,d){m.matrixAutoUpdate===!0&&m.updateMatrix(),d.value.copy(m.matrix)}function n(m,d){d.color.getRGB(m.fogColor.value,Ad(i)),d.isFog?(m.fogNear.value=d.near,m.fogFar.value=d.far):d.isFogExp2&&(m.fogDensity.value=d.density)}function s(m,d,T,w,S){d.isMeshBasicMaterial||d.isMeshLambertMaterial?r(m,d):d.isMeshToonMaterial?(r(m,d),h(m,d)):d.isMeshPhongMaterial?(r(m,d),u(m,d)):d.isMeshStandardMaterial?(r(m,d),f(m,d),d.isMeshPhysicalMaterial&&p(m,d,S)):d.isMeshMatcapMaterial?(r(m,d),_(m,d)):d.isMeshDepthMaterial?r(m,d):d.isMeshDistanceMaterial?(r(m,d),x(m,d)):d.isMeshNormalMaterial?r(m,d):d.isLineBasicMaterial?(a(m,d),d.isLineDashedMaterial&&o(m,d)):d.isPointsMaterial?l(m,d,T,w):d.isSpriteMaterial?c(m,d):d.isShadowMaterial?(m.color.value.copy(d.color),m.opacity.value=d.opacity):d.isShaderMaterial&&(d.uniformsNeedUpdate=!1)}function r(m,d){m.opacity.value=d.opacity,d.color&&m.diffuse.value.copy(d.color),d.emissive&&m.emissive.value.copy(d.emissive).multiplyScalar(d.emissiveIntensity),d.map&&(m.map.value=d.map,e(d.map,m.mapTransform)),d.alphaMap&&(m.alphaMap.value=d.alphaMap,e(d.alphaMap,m.alphaMapTransform)),d.bumpMap&&(m.bumpMap.value=d.bumpMap,e(d.bumpMap,m.bumpMapTransform),m.bumpScale.value=d.bumpScale,d.side===An&&(m.bumpScale.value*=-1)),d.normalMap&&(m.normalMap.value=d.normalMap,e(d.normalMap,m.normalMapTransform),m.normalScale.value.copy(d.normalScale),d.side===An&&m.normalScale.value.negate()),d.displacementMap&&(m.displacementMap.value=d.displacementMap,e(d.displacementMap,m.displacementMapTransform),m.displacementScale.value=d.displacementScale,m.displacementBias.value=d.displacementBias),d.emissiveMap&&(m.emissiveMap.value=d.emissiveMap,e(d.emissiveMap,m.emissiveMapTransform)),d.specularMap&&(m.specularMap.value=d.specularMap,e(d.specularMap,m.specularMapTransform)),d.alphaTest>0&&(m.alphaTest.value=d.alphaTest);const T=t.get(d),w=T.envMap,S=T.envMapRotation;w&&(m.envMap.value=w,vs.copy(S),vs.x*=-1,vs.y*=-1,vs.z*=-1,w.isCubeTexture&&w.isRenderTargetTexture===!1&&(vs.y*=-1,vs.z*=-1),m.envMapRotation.value.setFromMatrix4(pM.makeRotationFromEuler(vs)),m.flipEnvMap.value=w.isCubeTexture&&w.isRenderTargetTexture===!1?-1:1,m.reflectivity.value=d.reflectivity,m.ior.value=d.ior,m.refractionRatio.value=d.refractionRatio),d.lightMap&&(m.lightMap.value=d.lightMap,m.lightMapIntensity.value=d.lightMapIntensity,e(d.lightMap,m.lightMapTransform)),d.aoMap&&(m.aoMap.value=d.aoMap,m.aoMapIntensity.value=d.aoMapIntensity,e(d.aoMap,m.aoMapTransform))}function a(m,d){m.diffuse.value.copy(d.color),m.opacity.value=d.opacity,d.map&&(m.map.value=d.map,e(d.map,m.mapTransform))}function o(m,d){m.dashSize.value=d.dashSize,m.totalSize.value=d.dashSize+d.gapSize,m.scale.value=d.scale}function l(m,d,T,w){m.diffuse.value.copy(d.color),m.opacity.value=d.opacity,m.size.value=d.size*T,m.scale.value=w*.5,d.map&&(m.map.value=d.map,e(d.map,m.uvTransform)),d.alphaMap&&(m.alphaMap.value=d.alphaMap,e(d.alphaMap,m.alphaMapTransform)),d.alphaTest>0&&(m.alphaTest.value=d.alphaTest)}function c(m,d){m.diffuse.value.copy(d.color),m.opacity.value=d.opacity,m.rotation.value=d.rotation,d.map&&(m.map.value=d.map,e(d.map,m.mapTransform)),d.alphaMap&&(m.alphaMap.value=d.alphaMap,e(d.alphaMap,m.alphaMapTransform)),d.alphaTest>0&&(m.alphaTest.value=d.alphaTest)}function u(m,d){m.specular.value.copy(d.specular),m.shininess.value=Math.max(d.shininess,1e-4)}function h(m,d){d.gradientMap&&(m.gradientMap.value=d.gradientMap)}function f(m,d){m.metalness.value=d.metalness,d.metalnessMap&&(m.metalnessMap.value=d.metalnessMap,e(d.metalnessMap,m.metalnessMapTransform)),m.roughness.value=d.roughness,d.roughnessMap&&(m.roughnessMap.value=d.roughnessMap,e(d.roughnessMap,m.roughnessMapTransform)),d.envMap&&(m.envMapIntensity.value=d.envMapIntensity)}function p(m,d,T){m.ior.value=d.ior,d.sheen>0&&(m.sheenColor.value.copy(d.sheenColor).multiplyScalar(d.sheen),m.sheenRoughness.value=d.sheenRoughness,d.sheenColorMap&&(m.sheenColorMap.value=d.sheenColorMap,e(d.sheenColorMap,m.sheenColorMapTransform)),d.sheenRoughnessMap&&(m.sheenRoughnessMap.value=d.sheenRoughnessMap,e(d.sheenRoughnessMap,m.sheenRoughnessMapTransform))),d.clearcoat>0&&(m.clearcoat.value=d.clearcoat,m.clearcoatRoughness.value=d.clearcoatRoughness,d.clearcoatMap&&(m.clearcoatMap.value=d.clearcoatMap,e(d.clearcoatMap,m.clearcoatMapTransform)),d.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=d.clearcoatRoughnessMap,e(d.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),d.clearcoatNormalMap&&(m.clearcoatNormalMap.value=d.clearcoatNormalMap,e(d.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(d.clearcoatNormalScale),d.side===An&&m.clearcoatNormalScale.value.negate())),d.dispersion>0&&(m.dispersion.value=d.dispersion),d.iridescence>0&&(m.iridescence.value=d.iridescence,m.iridescenceIOR.value=d.iridescenceIOR,m.iridescenceThicknessMinimum.value=d.iridescenceThicknessRange[0],m.iridescenceThicknessMaximum.value=d.iridescenceThicknessRange[1],d.iridescenceMap&&(m.iridescenceMap.value=d.iridescenceMap,e(d.iridescenceMap,m.iridescenceMapTransform)),d.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=d.iridescenceThicknessMap,e(d.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),d.transmission>0&&(m.transmission.value=d.transmission,m.transmissionSamplerMap.value=T.texture,m.transmissionSamplerSize.value.set(T.width,T.height),d.transmissionMap&&(m.transmissionMap.value=d.transmissionMap,e(d.transmissionMap,m.transmissionMapTransform)),m.thickness.value=d.thickness,d.thicknessMap&&(m.thicknessMap.value=d.thicknessMap,e(d.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=d.attenuationDistance,m.attenuationColor.value.copy(d.attenuationColor)),d.anisotropy>0&&(m.anisotropyVector.value.set(d.anisotropy*Math.cos(d.anisotropyRotation),d.anisotropy*Math.sin(d.anisotropyRotation)),d.anisotropyMap&&(m.anisotropyMap.value=d.anisotropyMap,e(d.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=d.specularIntensity,m.specularColor.value.copy(d.specularColor),d.specularColorMap&&(m.specularColorMap.value=d.specularColorMap,e(d.specularColorMap,m.specularColorMapTransform)),d.specularIntensityMap&&(m.specularIntensityMap.value=d.specularIntensityMap,e(d.specularIntensityMap,m.specularIntensityMapTransform))}function _(m,d){d.matcap&&(m.matcap.value=d.matcap)}function x(m,d){const T=t.get(d).light;m.referencePosition.value.setFromMatrixPosition(T.matrixWorld),m.nearDistance.value=T.shadow.camera.near,m.farDistance.value=T.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function gM(i,t,e,n){let s={},r={},a=[];const o=i.getParameter(i.MAX_UNIFORM_BUFFER_BINDINGS);function l(T,w){const S=w.program;n.uniformBlockBinding(T,S)}function c(T,w){let S=s[T.id];S===void 0&&(_(T),S=u(T),s[T.id]=S,T.addEventListener("dispose",m));const L=w.program;n.updateUBOMapping(T,L);const R=t.render.frame;r[T.id]!==R&&(f(T),r[T.id]=R)}function u(T){const w=h();T.__bindingPointIndex=w;const S=i.createBuffer(),L=T.__size,R=T.usage;return i.bindBuffer(i.UNIFORM_BUFFER,S),i.bufferData(i.UNIFORM_BUFFER,L,R),i.bindBuffer(i.UNIFORM_BUFFER,null),i.bindBufferBase(i.UNIFORM_BUFFER,w,S),S}function h(){for(let T=0;T<o;T++)if(a.indexOf(T)===-1)return a.push(T),T;return console.error("THREE.WebGLRenderer: Maximum number of simultaneously usable uniforms groups reached."),0}function f(T){const w=s[T.id],S=T.uniforms,L=T.__cache;i.bindBuffer(i.UNIFORM_BUFFER,w);for(let R=0,U=S.length;R<U;R++){const F=Array.isArray(S[R])?S[R]:[S[R]];for(let b=0,E=F.length;b<E;b++){const C=F[b];if(p(C,R,b,L)===!0){const z=C.__offset,H=Array.isArray(C.value)?C.value:[C.value];let Y=0;for(let W=0;W<H.length;W++){const $=H[W],q=x($);typeof $=="number"||typeof $=="boolean"?(C.__data[0]=$,i.bufferSubData(i.UNIFORM_BUFFER,z+Y,C.__data)):$.isMatrix3?(C.__data[0]=$.elements[0],C.__data[1]=$.elements[1],C.__data[2]=$.elements[2],C.__data[3]=0,C.__data[4]=$.elements[3],C.__data[5]=$.elements[4],C.__data[6]=$.elements[5],C.__data[7]=0,C.__data[8]=$.elements[6],C.__data[9]=$.elements[7],C.__data[10]=$.elements[8],C.__data[11]=0):($.toArray(C.__data,Y),Y+=q.storage/Float32Array.BYTES_PER_ELEMENT)}i.bufferSubData(i.UNIFORM_BUFFER,z,C.__data)}}}i.bindBuffer(i.UNIFORM_BUFFER,null)}function p(T,w,S,L){const R=T.value,U=w+"_"+S;if(L[U]===void 0)return typeof R=="number"||typeof R=="boolean"?L[U]=R:L[U]=R.clone(),!0;{const F=L[U];if(typeof R=="number"||typeof R=="boolean"){if(F!==R)return L[U]=R,!0}else if(F.equals(R)===!1)return F.copy(R),!0}return!1}function _(T){const w=T.uniforms;let S=0;const L=16;for(let U=0,F=w.length;U<F;U++){const b=Array.isArray(w[U])?w[U]:[w[U]];for(let E=0,C=b.length;E<C;E++){const z=b[E],H=Array.isArray(z.value)?z.value:[z.value];for(let Y=0,W=H.length;Y<W;Y++){const $=H[Y],q=x($),J=S%L,ot=J%q.boundary,lt=J+ot;S+=ot,lt!==0&&L-lt<q.storage&&(S+=L-lt),z.__data=new Float32Array(q.storage/Float32Array.BYTES_PER_ELEMENT),z.__offset=S,S+=q.storage}}}const R=S%L;return R>0&&(S+=L-R),T.__size=S,T.__cache={},this}function x(T){const w={boundary:0,storage:0};return typeof T=="number"||typeof T=="boolean"?(w.boundary=4,w.storage=4):T.isVector2?(w.boundary=8,w.storage=8):T.isVector3||T.isColor?(w.boundary=16,w.storage=12):T.isVector4?(w.boundary=16,w.storage=16):T.isMatrix3?(w.boundary=48,w.storage=48):T.isMatrix4?(w.boundary=64,w.storage=64):T.isTexture?console.warn("THREE.WebGLRenderer: Texture samplers can not be part of an uniforms group."):console.warn("THREE.WebGLRenderer: Unsupported uniform value type.",T),w}function m(T){const w=T.target;w.removeEventListener("dispose",m);const S=a.indexOf(w.__bindingPointIndex);a.splice(S,1),i.deleteBuffer(s[w.id]),delete s[w.id],delete r[w.id]}function d(){for(const T in s)i.deleteBuffer(s[T]);a=[],s={},r={}}return{bind:l,update:c,dispose:d}}class _M{constructor(t={}){const{canvas:e=Wm(),context:n=null,depth:s=!0,stencil:r=!1,alpha:a=!1,antialias:o=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:u="default",failIfMajorPerformanceCaveat:h=!1,reversedDepthBuffer:f=!1}=t;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");p=n.getContextAttributes().alpha}else p=a;const _=new Uint32Array(4),x=new Int32Array(4);let m=null,d=null;const T=[],w=[];this.domElement=e,this.debug={checkShaderErrors:!0,onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=is,this.toneMappingExposure=1,this.transmissionResolutionScale=1;const S=this;let L=!1;this._outputColorSpace=Kn;let R=0,U=0,F=null,b=-1,E=null;const C=new Ge,z=new Ge;let H=null;const Y=new ae(0);let W=0,$=e.width,q=e.height,J=1,ot=null,lt=null;const vt=new Ge(0,0,$,q),St=new Ge(0,0,$,q);let _t=!1;const te=new au;let jt=!1,Q=!1;const nt=new Ee,bt=new V,zt=new Ge,xt={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0};let Zt=!1;function De(){return F===null?J:1}let I=n;function he(y,k){return e.getContext(y,k)}try{const y={alpha:!0,depth:s,stencil:r,antialias:o,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:u,failIfMajorPerformanceCaveat:h};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${Xc}`),e.addEventListener("webglcontextlost",pt,!1),e.addEventListener("webglcontextrestored",Pt,!1),e.addEventListener("webglcontextcreationerror",ut,!1),I===null){const k="webgl2";if(I=he(k,y),I===null)throw he(k)?new Error("Error creating WebGL context with your selected attributes."):new Error("Error creating WebGL context.")}}catch(y){throw console.error("THREE.WebGLRenderer: "+y.message),y}let qt,Gt,It,Se,Ct,Vt,Ne,_e,P,v,N,j,it,et,Nt,ht,Dt,At,at,gt,Bt,Ot,Mt,Kt;function O(){qt=new Av(I),qt.init(),Ot=new cM(I,qt),Gt=new Mv(I,qt,t,Ot),It=new oM(I,qt),Gt.reversedDepthBuffer&&f&&It.buffers.depth.setReversed(!0),Se=new Pv(I),Ct=new $x,Vt=new lM(I,qt,It,Ct,Gt,Ot,Se),Ne=new yv(S),_e=new wv(S),P=new Fg(I),Mt=new vv(I,P),v=new Rv(I,P,Se,Mt),N=new Lv(I,v,P,Se),at=new Dv(I,Gt,Vt),ht=new Sv(Ct),j=new qx(S,Ne,_e,qt,Gt,Mt,ht),it=new mM(S,Ct),et=new jx,Nt=new nM(qt),At=new _v(S,Ne,_e,It,N,p,l),Dt=new rM(S,N,Gt),Kt=new gM(I,Se,Gt,It),gt=new xv(I,qt,Se),Bt=new Cv(I,qt,Se),Se.programs=j.programs,S.capabilities=Gt,S.extensions=qt,S.properties=Ct,S.renderLists=et,S.shadowMap=Dt,S.state=It,S.info=Se}O();const ft=new dM(S,I);this.xr=ft,this.getContext=function(){return I},this.getContextAttributes=function(){return I.getContextAttributes()},this.forceContextLoss=function(){const y=qt.get("WEBGL_lose_context");y&&y.loseContext()},this.forceContextRestore=function(){const y=qt.get("WEBGL_lose_context");y&&y.restoreContext()},this.getPixelRatio=function(){return J},this.setPixelRatio=function(y){y!==void 0&&(J=y,this.setSize($,q,!1))},this.getSize=function(y){return y.set($,q)},this.setSize=function(y,k,Z=!0){if(ft.isPresenting){console.warn("THREE.WebGLRenderer: Can't change size while VR device is presenting.");return}$=y,q=k,e.width=Math.floor(y*J),e.height=Math.floor(k*J),Z===!0&&(e.style.width=y+"px",e.style.height=k+"px"),this.setViewport(0,0,y,k)},this.getDrawingBufferSize=function(y){return y.set($*J,q*J).floor()},this.setDrawingBufferSize=function(y,k,Z){$=y,q=k,J=Z,e.width=Math.floor(y*Z),e.height=Math.floor(k*Z),this.setViewport(0,0,y,k)},this.getCurrentViewport=function(y){return y.copy(C)},this.getViewport=function(y){return y.copy(vt)},this.setViewport=function(y,k,Z,K){y.isVector4?vt.set(y.x,y.y,y.z,y.w):vt.set(y,k,Z,K),It.viewport(C.copy(vt).multiplyScalar(J).round())},this.getScissor=function(y){return y.copy(St)},this.setScissor=function(y,k,Z,K){y.isVector4?St.set(y.x,y.y,y.z,y.w):St.set(y,k,Z,K),It.scissor(z.copy(St).multiplyScalar(J).round())},this.getScissorTest=function(){return _t},this.setScissorTest=function(y){It.setScissorTest(_t=y)},this.setOpaqueSort=function(y){ot=y},this.setTransparentSort=function(y){lt=y},this.getClearColor=function(y){return y.copy(At.getClearColor())},this.setClearColor=function(){At.setClearColor(...arguments)},this.getClearAlpha=function(){return At.getClearAlpha()},this.setClearAlpha=function(){At.setClearAlpha(...arguments)},this.clear=function(y=!0,k=!0,Z=!0){let K=0;if(y){let G=!1;if(F!==null){const dt=F.texture.format;G=dt===tu||dt===Qc||dt===Jc}if(G){const dt=F.texture.type,yt=dt===yi||dt===Rs||dt===ca||dt===ua||dt===Kc||dt===jc,Lt=At.getClearColor(),Tt=At.getClearAlpha(),Xt=Lt.r,Yt=Lt.g,kt=Lt.b;yt?(_[0]=Xt,_[1]=Yt,_[2]=kt,_[3]=Tt,I.clearBufferuiv(I.COLOR,0,_)):(x[0]=Xt,x[1]=Yt,x[2]=kt,x[3]=Tt,I.clearBufferiv(I.COLOR,0,x))}else K|=I.COLOR_BUFFER_BIT}k&&(K|=I.DEPTH_BUFFER_BIT),Z&&(K|=I.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),I.clear(K)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.dispose=function(){e.removeEventListener("webglcontextlost",pt,!1),e.removeEventListener("webglcontextrestored",Pt,!1),e.removeEventListener("webglcontextcreationerror",ut,!1),At.dispose(),et.dispose(),Nt.dispose(),Ct.dispose(),Ne.dispose(),_e.dispose(),N.dispose(),Mt.dispose(),Kt.dispose(),j.dispose(),ft.dispose(),ft.removeEventListener("sessionstart",Re),ft.removeEventListener("sessionend",Dn),Rn.stop()};function pt(y){y.preventDefault(),console.log("THREE.WebGLRenderer: Context Lost."),L=!0}function Pt(){console.log("THREE.WebGLRenderer: Context Restored."),L=!1;const y=Se.autoReset,k=Dt.enabled,Z=Dt.autoUpdate,K=Dt.needsUpdate,G=Dt.type;O(),Se.autoReset=y,Dt.enabled=k,Dt.autoUpdate=Z,Dt.needsUpdate=K,Dt.type=G}function ut(y){console.error("THREE.WebGLRenderer: A WebGL context could not be created. Reason: ",y.statusMessage)}function rt(y){const k=y.target;k.removeEventListener("dispose",rt),Ft(k)}function Ft(y){Jt(y),Ct.remove(y)}function Jt(y){const k=Ct.get(y).programs;k!==void 0&&(k.forEach(function(Z){j.releaseProgram(Z)}),y.isShaderMaterial&&j.releaseShaderCache(y))}this.renderBufferDirect=function(y,k,Z,K,G,dt){k===null&&(k=xt);const yt=G.isMesh&&G.matrixWorld.determinant()<0,Lt=Ti(y,k,Z,K,G);It.setMaterial(K,yt);let Tt=Z.index,Xt=1;if(K.wireframe===!0){if(Tt=v.getWireframeAttribute(Z),Tt===void 0)return;Xt=2}const Yt=Z.drawRange,kt=Z.attributes.position;let se=Yt.start*Xt,pe=(Yt.start+Yt.count)*Xt;dt!==null&&(se=Math.max(se,dt.start*Xt),pe=Math.min(pe,(dt.start+dt.count)*Xt)),Tt!==null?(se=Math.max(se,0),pe=Math.min(pe,Tt.count)):kt!=null&&(se=Math.max(se,0),pe=Math.min(pe,kt.count));const Le=pe-se;if(Le<0||Le===1/0)return;Mt.setup(G,K,Lt,Z,Tt);let ye,ee=gt;if(Tt!==null&&(ye=P.get(Tt),ee=Bt,ee.setIndex(ye)),G.isMesh)K.wireframe===!0?(It.setLineWidth(K.wireframeLinewidth*De()),ee.setMode(I.LINES)):ee.setMode(I.TRIANGLES);else if(G.isLine){let Wt=K.linewidth;Wt===void 0&&(Wt=1),It.setLineWidth(Wt*De()),G.isLineSegments?ee.setMode(I.LINES):G.isLineLoop?ee.setMode(I.LINE_LOOP):ee.setMode(I.LINE_STRIP)}else G.isPoints?ee.setMode(I.POINTS):G.isSprite&&ee.setMode(I.TRIANGLES);if(G.isBatchedMesh)if(G._multiDrawInstances!==null)da("THREE.WebGLRenderer: renderMultiDrawInstances has been deprecated and will be removed in r184. Append to renderMultiDraw arguments and use indirection."),ee.renderMultiDrawInstances(G._multiDrawStarts,G._multiDrawCounts,G._multiDrawCount,G._multiDrawInstances);else if(qt.get("WEBGL_multi_draw"))ee.renderMultiDraw(G._multiDrawStarts,G._multiDrawCounts,G._multiDrawCount);else{const Wt=G._multiDrawStarts,Ue=G._multiDrawCounts,le=G._multiDrawCount,dn=Tt?P.get(Tt).bytesPerElement:1,zi=Ct.get(K).currentProgram.getUniforms();for(let xn=0;xn<le;xn++)zi.setValue(I,"_gl_DrawID",xn),ee.render(Wt[xn]/dn,Ue[xn])}else if(G.isInstancedMesh)ee.renderInstances(se,Le,G.count);else if(Z.isInstancedBufferGeometry){const Wt=Z._maxInstanceCount!==void 0?Z._maxInstanceCount:1/0,Ue=Math.min(Z.instanceCount,Wt);ee.renderInstances(se,Le,Ue)}else ee.render(se,Le)};function be(y,k,Z){y.transparent===!0&&y.side===ai&&y.forceSinglePass===!1?(y.side=An,y.needsUpdate=!0,os(y,k,Z),y.side=Oi,y.needsUpdate=!0,os(y,k,Z),y.side=ai):os(y,k,Z)}this.compile=function(y,k,Z=null){Z===null&&(Z=y),d=Nt.get(Z),d.init(k),w.push(d),Z.traverseVisible(function(G){G.isLight&&G.layers.test(k.layers)&&(d.pushLight(G),G.castShadow&&d.pushShadow(G))}),y!==Z&&y.traverseVisible(function(G){G.isLight&&G.layers.test(k.layers)&&(d.pushLight(G),G.castShadow&&d.pushShadow(G))}),d.setupLights();const K=new Set;return y.traverse(function(G){if(!(G.isMesh||G.isPoints||G.isLine||G.isSprite))return;const dt=G.material;if(dt)if(Array.isArray(dt))for(let yt=0;yt<dt.length;yt++){const Lt=dt[yt];be(Lt,Z,G),K.add(Lt)}else be(dt,Z,G),K.add(dt)}),d=w.pop(),K},this.compileAsync=function(y,k,Z=null){const K=this.compile(y,k,Z);return new Promise(G=>{function dt(){if(K.forEach(function(yt){Ct.get(yt).currentProgram.isReady()&&K.delete(yt)}),K.size===0){G(y);return}setTimeout(dt,10)}qt.get("KHR_parallel_shader_compile")!==null?dt():setTimeout(dt,10)})};let de=null;function hn(y){de&&de(y)}function Re(){Rn.stop()}function Dn(){Rn.start()}const Rn=new Od;Rn.setAnimationLoop(hn),typeof self<"u"&&Rn.setContext(self),this.setAnimationLoop=function(y){de=y,ft.setAnimationLoop(y),y===null?Rn.stop():Rn.start()},ft.addEventListener("sessionstart",Re),ft.addEventListener("sessionend",Dn),this.render=function(y,k){if(k!==void 0&&k.isCamera!==!0){console.error("THREE.WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(L===!0)return;if(y.matrixWorldAutoUpdate===!0&&y.updateMatrixWorld(),k.parent===null&&k.matrixWorldAutoUpdate===!0&&k.updateMatrixWorld(),ft.enabled===!0&&ft.isPresenting===!0&&(ft.cameraAutoUpdate===!0&&ft.updateCamera(k),k=ft.getCamera()),y.isScene===!0&&y.onBeforeRender(S,y,k,F),d=Nt.get(y,w.length),d.init(k),w.push(d),nt.multiplyMatrices(k.projectionMatrix,k.matrixWorldInverse),te.setFromProjectionMatrix(nt,Mi,k.reversedDepth),Q=this.localClippingEnabled,jt=ht.init(this.clippingPlanes,Q),m=et.get(y,T.length),m.init(),T.push(m),ft.enabled===!0&&ft.isPresenting===!0){const dt=S.xr.getDepthSensingMesh();dt!==null&&ui(dt,k,-1/0,S.sortObjects)}ui(y,k,0,S.sortObjects),m.finish(),S.sortObjects===!0&&m.sort(ot,lt),Zt=ft.enabled===!1||ft.isPresenting===!1||ft.hasDepthSensing()===!1,Zt&&At.addToRenderList(m,y),this.info.render.frame++,jt===!0&&ht.beginShadows();const Z=d.state.shadowsArray;Dt.render(Z,y,k),jt===!0&&ht.endShadows(),this.info.autoReset===!0&&this.info.reset();const K=m.opaque,G=m.transmissive;if(d.setupLights(),k.isArrayCamera){const dt=k.cameras;if(G.length>0)for(let yt=0,Lt=dt.length;yt<Lt;yt++){const Tt=dt[yt];bi(K,G,y,Tt)}Zt&&At.render(y);for(let yt=0,Lt=dt.length;yt<Lt;yt++){const Tt=dt[yt];vn(m,y,Tt,Tt.viewport)}}else G.length>0&&bi(K,G,y,k),Zt&&At.render(y),vn(m,y,k);F!==null&&U===0&&(Vt.updateMultisampleRenderTarget(F),Vt.updateRenderTargetMipmap(F)),y.isScene===!0&&y.onAfterRender(S,y,k),Mt.resetDefaultState(),b=-1,E=null,w.pop(),w.length>0?(d=w[w.length-1],jt===!0&&ht.setGlobalState(S.clippingPlanes,d.state.camera)):d=null,T.pop(),T.length>0?m=T[T.length-1]:m=null};function ui(y,k,Z,K){if(y.visible===!1)return;if(y.layers.test(k.layers)){if(y.isGroup)Z=y.renderOrder;else if(y.isLOD)y.autoUpdate===!0&&y.update(k);else if(y.isLight)d.pushLight(y),y.castShadow&&d.pushShadow(y);else if(y.isSprite){if(!y.frustumCulled||te.intersectsSprite(y)){K&&zt.setFromMatrixPosition(y.matrixWorld).applyMatrix4(nt);const yt=N.update(y),Lt=y.material;Lt.visible&&m.push(y,yt,Lt,Z,zt.z,null)}}else if((y.isMesh||y.isLine||y.isPoints)&&(!y.frustumCulled||te.intersectsObject(y))){const yt=N.update(y),Lt=y.material;if(K&&(y.boundingSphere!==void 0?(y.boundingSphere===null&&y.computeBoundingSphere(),zt.copy(y.boundingSphere.center)):(yt.boundingSphere===null&&yt.computeBoundingSphere(),zt.copy(yt.boundingSphere.center)),zt.applyMatrix4(y.matrixWorld).applyMatrix4(nt)),Array.isArray(Lt)){const Tt=yt.groups;for(let Xt=0,Yt=Tt.length;Xt<Yt;Xt++){const kt=Tt[Xt],se=Lt[kt.materialIndex];se&&se.visible&&m.push(y,yt,se,Z,zt.z,kt)}}else Lt.visible&&m.push(y,yt,Lt,Z,zt.z,null)}}const dt=y.children;for(let yt=0,Lt=dt.length;yt<Lt;yt++)ui(dt[yt],k,Z,K)}function vn(y,k,Z,K){const G=y.opaque,dt=y.transmissive,yt=y.transparent;d.setupLightsView(Z),jt===!0&&ht.setGlobalState(S.clippingPlanes,Z),K&&It.viewport(C.copy(K)),G.length>0&&Jn(G,k,Z),dt.length>0&&Jn(dt,k,Z),yt.length>0&&Jn(yt,k,Z),It.buffers.depth.setTest(!0),It.buffers.depth.setMask(!0),It.buffers.color.setMask(!0),It.setPolygonOffset(!1)}function bi(y,k,Z,K){if((Z.isScene===!0?Z.overrideMaterial:null)!==null)return;d.state.transmissionRenderTarget[K.id]===void 0&&(d.state.transmissionRenderTarget[K.id]=new rs(1,1,{generateMipmaps:!0,type:qt.has("EXT_color_buffer_half_float")||qt.has("EXT_color_buffer_float")?xa:yi,minFilter:es,samples:4,stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,colorSpace:fe.workingColorSpace}));const dt=d.state.transmissionRenderTarget[K.id],yt=K.viewport||C;dt.setSize(yt.z*S.transmissionResolutionScale,yt.w*S.transmissionResolutionScale);const Lt=S.getRenderTarget(),Tt=S.getActiveCubeFace(),Xt=S.getActiveMipmapLevel();S.setRenderTarget(dt),S.getClearColor(Y),W=S.getClearAlpha(),W<1&&S.setClearColor(16777215,.5),S.clear(),Zt&&At.render(Z);const Yt=S.toneMapping;S.toneMapping=is;const kt=K.viewport;if(K.viewport!==void 0&&(K.viewport=void 0),d.setupLightsView(K),jt===!0&&ht.setGlobalState(S.clippingPlanes,K),Jn(y,Z,K),Vt.updateMultisampleRenderTarget(dt),Vt.updateRenderTargetMipmap(dt),qt.has("WEBGL_multisampled_render_to_texture")===!1){let se=!1;for(let pe=0,Le=k.length;pe<Le;pe++){const ye=k[pe],ee=ye.object,Wt=ye.geometry,Ue=ye.material,le=ye.group;if(Ue.side===ai&&ee.layers.test(K.layers)){const dn=Ue.side;Ue.side=An,Ue.needsUpdate=!0,Ur(ee,Z,K,Wt,Ue,le),Ue.side=dn,Ue.needsUpdate=!0,se=!0}}se===!0&&(Vt.updateMultisampleRenderTarget(dt),Vt.updateRenderTargetMipmap(dt))}S.setRenderTarget(Lt,Tt,Xt),S.setClearColor(Y,W),kt!==void 0&&(K.viewport=kt),S.toneMapping=Yt}function Jn(y,k,Z){const K=k.isScene===!0?k.overrideMaterial:null;for(let G=0,dt=y.length;G<dt;G++){const yt=y[G],Lt=yt.object,Tt=yt.geometry,Xt=yt.group;let Yt=yt.material;Yt.allowOverride===!0&&K!==null&&(Yt=K),Lt.layers.test(Z.layers)&&Ur(Lt,k,Z,Tt,Yt,Xt)}}function Ur(y,k,Z,K,G,dt){y.onBeforeRender(S,k,Z,K,G,dt),y.modelViewMatrix.multiplyMatrices(Z.matrixWorldInverse,y.matrixWorld),y.normalMatrix.getNormalMatrix(y.modelViewMatrix),G.onBeforeRender(S,k,Z,K,y,dt),G.transparent===!0&&G.side===ai&&G.forceSinglePass===!1?(G.side=An,G.needsUpdate=!0,S.renderBufferDirect(Z,k,K,G,y,dt),G.side=Oi,G.needsUpdate=!0,S.renderBufferDirect(Z,k,K,G,y,dt),G.side=ai):S.renderBufferDirect(Z,k,K,G,y,dt),y.onAfterRender(S,k,Z,K,G,dt)}function os(y,k,Z){k.isScene!==!0&&(k=xt);const K=Ct.get(y),G=d.state.lights,dt=d.state.shadowsArray,yt=G.state.version,Lt=j.getParameters(y,G.state,dt,k,Z),Tt=j.getProgramCacheKey(Lt);let Xt=K.programs;K.environment=y.isMeshStandardMaterial?k.environment:null,K.fog=k.fog,K.envMap=(y.isMeshStandardMaterial?_e:Ne).get(y.envMap||K.environment),K.envMapRotation=K.environment!==null&&y.envMap===null?k.environmentRotation:y.envMapRotation,Xt===void 0&&(y.addEventListener("dispose",rt),Xt=new Map,K.programs=Xt);let Yt=Xt.get(Tt);if(Yt!==void 0){if(K.currentProgram===Yt&&K.lightsStateVersion===yt)return ya(y,Lt),Yt}else Lt.uniforms=j.getUniforms(y),y.onBeforeCompile(Lt,S),Yt=j.acquireProgram(Lt,Tt),Xt.set(Tt,Yt),K.uniforms=Lt.uniforms;const kt=K.uniforms;return(!y.isShaderMaterial&&!y.isRawShaderMaterial||y.clipping===!0)&&(kt.clippingPlanes=ht.uniform),ya(y,Lt),K.needsLights=ls(y),K.lightsStateVersion=yt,K.needsLights&&(kt.ambientLightColor.value=G.state.ambient,kt.lightProbe.value=G.state.probe,kt.directionalLights.value=G.state.directional,kt.directionalLightShadows.value=G.state.directionalShadow,kt.spotLights.value=G.state.spot,kt.spotLightShadows.value=G.state.spotShadow,kt.rectAreaLights.value=G.state.rectArea,kt.ltc_1.value=G.state.rectAreaLTC1,kt.ltc_2.value=G.state.rectAreaLTC2,kt.pointLights.value=G.state.point,kt.pointLightShadows.value=G.state.pointShadow,kt.hemisphereLights.value=G.state.hemi,kt.directionalShadowMap.value=G.state.directionalShadowMap,kt.directionalShadowMatrix.value=G.state.directionalShadowMatrix,kt.spotShadowMap.value=G.state.spotShadowMap,kt.spotLightMatrix.value=G.state.spotLightMatrix,kt.spotLightMap.value=G.state.spotLightMap,kt.pointShadowMap.value=G.state.pointShadowMap,kt.pointShadowMatrix.value=G.state.pointShadowMatrix),K.currentProgram=Yt,K.uniformsList=null,Yt}function Sa(y){if(y.uniformsList===null){const k=y.currentProgram.getUniforms();y.uniformsList=mo.seqWithValue(k.seq,y.uniforms)}return y.uniformsList}function ya(y,k){const Z=Ct.get(y);Z.outputColorSpace=k.outputColorSpace,Z.batching=k.batching,Z.batchingColor=k.batchingColor,Z.instancing=k.instancing,Z.instancingColor=k.instancingColor,Z.instancingMorph=k.instancingMorph,Z.skinning=k.skinning,Z.morphTargets=k.morphTargets,Z.morphNormals=k.morphNormals,Z.morphColors=k.morphColors,Z.morphTargetsCount=k.morphTargetsCount,Z.numClippingPlanes=k.numClippingPlanes,Z.numIntersection=k.numClipIntersection,Z.vertexAlphas=k.vertexAlphas,Z.vertexTangents=k.vertexTangents,Z.toneMapping=k.toneMapping}function Ti(y,k,Z,K,G){k.isScene!==!0&&(k=xt),Vt.resetTextureUnits();const dt=k.fog,yt=K.isMeshStandardMaterial?k.environment:null,Lt=F===null?S.outputColorSpace:F.isXRRenderTarget===!0?F.texture.colorSpace:Cs,Tt=(K.isMeshStandardMaterial?_e:Ne).get(K.envMap||yt),Xt=K.vertexColors===!0&&!!Z.attributes.color&&Z.attributes.color.itemSize===4,Yt=!!Z.attributes.tangent&&(!!K.normalMap||K.anisotropy>0),kt=!!Z.morphAttributes.position,se=!!Z.morphAttributes.normal,pe=!!Z.morphAttributes.color;let Le=is;K.toneMapped&&(F===null||F.isXRRenderTarget===!0)&&(Le=S.toneMapping);const ye=Z.morphAttributes.position||Z.morphAttributes.normal||Z.morphAttributes.color,ee=ye!==void 0?ye.length:0,Wt=Ct.get(K),Ue=d.state.lights;if(jt===!0&&(Q===!0||y!==E)){const nn=y===E&&K.id===b;ht.setState(K,y,nn)}let le=!1;K.version===Wt.__version?(Wt.needsLights&&Wt.lightsStateVersion!==Ue.state.version||Wt.outputColorSpace!==Lt||G.isBatchedMesh&&Wt.batching===!1||!G.isBatchedMesh&&Wt.batching===!0||G.isBatchedMesh&&Wt.batchingColor===!0&&G.colorTexture===null||G.isBatchedMesh&&Wt.batchingColor===!1&&G.colorTexture!==null||G.isInstancedMesh&&Wt.instancing===!1||!G.isInstancedMesh&&Wt.instancing===!0||G.isSkinnedMesh&&Wt.skinning===!1||!G.isSkinnedMesh&&Wt.skinning===!0||G.isInstancedMesh&&Wt.instancingColor===!0&&G.instanceColor===null||G.isInstancedMesh&&Wt.instancingColor===!1&&G.instanceColor!==null||G.isInstancedMesh&&Wt.instancingMorph===!0&&G.morphTexture===null||G.isInstancedMesh&&Wt.instancingMorph===!1&&G.morphTexture!==null||Wt.envMap!==Tt||K.fog===!0&&Wt.fog!==dt||Wt.numClippingPlanes!==void 0&&(Wt.numClippingPlanes!==ht.numPlanes||Wt.numIntersection!==ht.numIntersection)||Wt.vertexAlphas!==Xt||Wt.vertexTangents!==Yt||Wt.morphTargets!==kt||Wt.morphNormals!==se||Wt.morphColors!==pe||Wt.toneMapping!==Le||Wt.morphTargetsCount!==ee)&&(le=!0):(le=!0,Wt.__version=K.version);let dn=Wt.currentProgram;le===!0&&(dn=os(K,k,G));let zi=!1,xn=!1,cs=!1;const Ie=dn.getUniforms(),Mn=Wt.uniforms;if(It.useProgram(dn.program)&&(zi=!0,xn=!0,cs=!0),K.id!==b&&(b=K.id,xn=!0),zi||E!==y){It.buffers.depth.getReversed()&&y.reversedDepth!==!0&&(y._reversedDepth=!0,y.updateProjectionMatrix()),Ie.setValue(I,"projectionMatrix",y.projectionMatrix),Ie.setValue(I,"viewMatrix",y.matrixWorldInverse);const sn=Ie.map.cameraPosition;sn!==void 0&&sn.setValue(I,bt.setFromMatrixPosition(y.matrixWorld)),Gt.logarithmicDepthBuffer&&Ie.setValue(I,"logDepthBufFC",2/(Math.log(y.far+1)/Math.LN2)),(K.isMeshPhongMaterial||K.isMeshToonMaterial||K.isMeshLambertMaterial||K.isMeshBasicMaterial||K.isMeshStandardMaterial||K.isShaderMaterial)&&Ie.setValue(I,"isOrthographic",y.isOrthographicCamera===!0),E!==y&&(E=y,xn=!0,cs=!0)}if(G.isSkinnedMesh){Ie.setOptional(I,G,"bindMatrix"),Ie.setOptional(I,G,"bindMatrixInverse");const nn=G.skeleton;nn&&(nn.boneTexture===null&&nn.computeBoneTexture(),Ie.setValue(I,"boneTexture",nn.boneTexture,Vt))}G.isBatchedMesh&&(Ie.setOptional(I,G,"batchingTexture"),Ie.setValue(I,"batchingTexture",G._matricesTexture,Vt),Ie.setOptional(I,G,"batchingIdTexture"),Ie.setValue(I,"batchingIdTexture",G._indirectTexture,Vt),Ie.setOptional(I,G,"batchingColorTexture"),G._colorsTexture!==null&&Ie.setValue(I,"batchingColorTexture",G._colorsTexture,Vt));const Cn=Z.morphAttributes;if((Cn.position!==void 0||Cn.normal!==void 0||Cn.color!==void 0)&&at.update(G,Z,dn),(xn||Wt.receiveShadow!==G.receiveShadow)&&(Wt.receiveShadow=G.receiveShadow,Ie.setValue(I,"receiveShadow",G.receiveShadow)),K.isMeshGouraudMaterial&&K.envMap!==null&&(Mn.envMap.value=Tt,Mn.flipEnvMap.value=Tt.isCubeTexture&&Tt.isRenderTargetTexture===!1?-1:1),K.isMeshStandardMaterial&&K.envMap===null&&k.environment!==null&&(Mn.envMapIntensity.value=k.environmentIntensity),xn&&(Ie.setValue(I,"toneMappingExposure",S.toneMappingExposure),Wt.needsLights&&ko(Mn,cs),dt&&K.fog===!0&&it.refreshFogUniforms(Mn,dt),it.refreshMaterialUniforms(Mn,K,J,q,d.state.transmissionRenderTarget[y.id]),mo.upload(I,Sa(Wt),Mn,Vt)),K.isShaderMaterial&&K.uniformsNeedUpdate===!0&&(mo.upload(I,Sa(Wt),Mn,Vt),K.uniformsNeedUpdate=!1),K.isSpriteMaterial&&Ie.setValue(I,"center",G.center),Ie.setValue(I,"modelViewMatrix",G.modelViewMatrix),Ie.setValue(I,"normalMatrix",G.normalMatrix),Ie.setValue(I,"modelMatrix",G.matrixWorld),K.isShaderMaterial||K.isRawShaderMaterial){const nn=K.uniformsGroups;for(let sn=0,ki=nn.length;sn<ki;sn++){const Gn=nn[sn];Kt.update(Gn,dn),Kt.bind(Gn,dn)}}return dn}function ko(y,k){y.ambientLightColor.needsUpdate=k,y.lightProbe.needsUpdate=k,y.directionalLights.needsUpdate=k,y.directionalLightShadows.needsUpdate=k,y.pointLights.needsUpdate=k,y.pointLightShadows.needsUpdate=k,y.spotLights.needsUpdate=k,y.spotLightShadows.needsUpdate=k,y.rectAreaLights.needsUpdate=k,y.hemisphereLights.needsUpdate=k}function ls(y){return y.isMeshLambertMaterial||y.isMeshToonMaterial||y.isMeshPhongMaterial||y.isMeshStandardMaterial||y.isShadowMaterial||y.isShaderMaterial&&y.lights===!0}this.getActiveCubeFace=function(){return R},this.getActiveMipmapLevel=function(){return U},this.getRenderTarget=function(){return F},this.setRenderTargetTextures=function(y,k,Z){const K=Ct.get(y);K.__autoAllocateDepthBuffer=y.resolveDepthBuffer===!1,K.__autoAllocateDepthBuffer===!1&&(K.__useRenderToTexture=!1),Ct.get(y.texture).__webglTexture=k,Ct.get(y.depthTexture).__webglTexture=K.__autoAllocateDepthBuffer?void 0:Z,K.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(y,k){const Z=Ct.get(y);Z.__webglFramebuffer=k,Z.__useDefaultFramebuffer=k===void 0};const Ea=I.createFramebuffer();this.setRenderTarget=function(y,k=0,Z=0){F=y,R=k,U=Z;let K=!0,G=null,dt=!1,yt=!1;if(y){const Tt=Ct.get(y);if(Tt.__useDefaultFramebuffer!==void 0)It.bindFramebuffer(I.FRAMEBUFFER,null),K=!1;else if(Tt.__webglFramebuffer===void 0)Vt.setupRenderTarget(y);else if(Tt.__hasExternalTextures)Vt.rebindTextures(y,Ct.get(y.texture).__webglTexture,Ct.get(y.depthTexture).__webglTexture);else if(y.depthBuffer){const kt=y.depthTexture;if(Tt.__boundDepthTexture!==kt){if(kt!==null&&Ct.has(kt)&&(y.width!==kt.image.width||y.height!==kt.image.height))throw new Error("WebGLRenderTarget: Attached DepthTexture is initialized to the incorrect size.");Vt.setupDepthRenderbuffer(y)}}const Xt=y.texture;(Xt.isData3DTexture||Xt.isDataArrayTexture||Xt.isCompressedArrayTexture)&&(yt=!0);const Yt=Ct.get(y).__webglFramebuffer;y.isWebGLCubeRenderTarget?(Array.isArray(Yt[k])?G=Yt[k][Z]:G=Yt[k],dt=!0):y.samples>0&&Vt.useMultisampledRTT(y)===!1?G=Ct.get(y).__webglMultisampledFramebuffer:Array.isArray(Yt)?G=Yt[Z]:G=Yt,C.copy(y.viewport),z.copy(y.scissor),H=y.scissorTest}else C.copy(vt).multiplyScalar(J).floor(),z.copy(St).multiplyScalar(J).floor(),H=_t;if(Z!==0&&(G=Ea),It.bindFramebuffer(I.FRAMEBUFFER,G)&&K&&It.drawBuffers(y,G),It.viewport(C),It.scissor(z),It.setScissorTest(H),dt){const Tt=Ct.get(y.texture);I.framebufferTexture2D(I.FRAMEBUFFER,I.COLOR_ATTACHMENT0,I.TEXTURE_CUBE_MAP_POSITIVE_X+k,Tt.__webglTexture,Z)}else if(yt){const Tt=k;for(let Xt=0;Xt<y.textures.length;Xt++){const Yt=Ct.get(y.textures[Xt]);I.framebufferTextureLayer(I.FRAMEBUFFER,I.COLOR_ATTACHMENT0+Xt,Yt.__webglTexture,Z,Tt)}}else if(y!==null&&Z!==0){const Tt=Ct.get(y.texture);I.framebufferTexture2D(I.FRAMEBUFFER,I.COLOR_ATTACHMENT0,I.TEXTURE_2D,Tt.__webglTexture,Z)}b=-1},this.readRenderTargetPixels=function(y,k,Z,K,G,dt,yt,Lt=0){if(!(y&&y.isWebGLRenderTarget)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let Tt=Ct.get(y).__webglFramebuffer;if(y.isWebGLCubeRenderTarget&&yt!==void 0&&(Tt=Tt[yt]),Tt){It.bindFramebuffer(I.FRAMEBUFFER,Tt);try{const Xt=y.textures[Lt],Yt=Xt.format,kt=Xt.type;if(!Gt.textureFormatReadable(Yt)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(!Gt.textureTypeReadable(kt)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}k>=0&&k<=y.width-K&&Z>=0&&Z<=y.height-G&&(y.textures.length>1&&I.readBuffer(I.COLOR_ATTACHMENT0+Lt),I.readPixels(k,Z,K,G,Ot.convert(Yt),Ot.convert(kt),dt))}finally{const Xt=F!==null?Ct.get(F).__webglFramebuffer:null;It.bindFramebuffer(I.FRAMEBUFFER,Xt)}}},this.readRenderTargetPixelsAsync=async function(y,k,Z,K,G,dt,yt,Lt=0){if(!(y&&y.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let Tt=Ct.get(y).__webglFramebuffer;if(y.isWebGLCubeRenderTarget&&yt!==void 0&&(Tt=Tt[yt]),Tt)if(k>=0&&k<=y.width-K&&Z>=0&&Z<=y.height-G){It.bindFramebuffer(I.FRAMEBUFFER,Tt);const Xt=y.textures[Lt],Yt=Xt.format,kt=Xt.type;if(!Gt.textureFormatReadable(Yt))throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(!Gt.textureTypeReadable(kt))throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");const se=I.createBuffer();I.bindBuffer(I.PIXEL_PACK_BUFFER,se),I.bufferData(I.PIXEL_PACK_BUFFER,dt.byteLength,I.STREAM_READ),y.textures.length>1&&I.readBuffer(I.COLOR_ATTACHMENT0+Lt),I.readPixels(k,Z,K,G,Ot.convert(Yt),Ot.convert(kt),0);const pe=F!==null?Ct.get(F).__webglFramebuffer:null;It.bindFramebuffer(I.FRAMEBUFFER,pe);const Le=I.fenceSync(I.SYNC_GPU_COMMANDS_COMPLETE,0);return I.flush(),await Xm(I,Le,4),I.bindBuffer(I.PIXEL_PACK_BUFFER,se),I.getBufferSubData(I.PIXEL_PACK_BUFFER,0,dt),I.deleteBuffer(se),I.deleteSync(Le),dt}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(y,k=null,Z=0){const K=Math.pow(2,-Z),G=Math.floor(y.image.width*K),dt=Math.floor(y.image.height*K),yt=k!==null?k.x:0,Lt=k!==null?k.y:0;Vt.setTexture2D(y,0),I.copyTexSubImage2D(I.TEXTURE_2D,Z,0,0,yt,Lt,G,dt),It.unbindTexture()};const hi=I.createFramebuffer(),Ke=I.createFramebuffer();this.copyTextureToTexture=function(y,k,Z=null,K=null,G=0,dt=null){dt===null&&(G!==0?(da("WebGLRenderer: copyTextureToTexture function signature has changed to support src and dst mipmap levels."),dt=G,G=0):dt=0);let yt,Lt,Tt,Xt,Yt,kt,se,pe,Le;const ye=y.isCompressedTexture?y.mipmaps[dt]:y.image;if(Z!==null)yt=Z.max.x-Z.min.x,Lt=Z.max.y-Z.min.y,Tt=Z.isBox3?Z.max.z-Z.min.z:1,Xt=Z.min.x,Yt=Z.min.y,kt=Z.isBox3?Z.min.z:0;else{const Cn=Math.pow(2,-G);yt=Math.floor(ye.width*Cn),Lt=Math.floor(ye.height*Cn),y.isDataArrayTexture?Tt=ye.depth:y.isData3DTexture?Tt=Math.floor(ye.depth*Cn):Tt=1,Xt=0,Yt=0,kt=0}K!==null?(se=K.x,pe=K.y,Le=K.z):(se=0,pe=0,Le=0);const ee=Ot.convert(k.format),Wt=Ot.convert(k.type);let Ue;k.isData3DTexture?(Vt.setTexture3D(k,0),Ue=I.TEXTURE_3D):k.isDataArrayTexture||k.isCompressedArrayTexture?(Vt.setTexture2DArray(k,0),Ue=I.TEXTURE_2D_ARRAY):(Vt.setTexture2D(k,0),Ue=I.TEXTURE_2D),I.pixelStorei(I.UNPACK_FLIP_Y_WEBGL,k.flipY),I.pixelStorei(I.UNPACK_PREMULTIPLY_ALPHA_WEBGL,k.premultiplyAlpha),I.pixelStorei(I.UNPACK_ALIGNMENT,k.unpackAlignment);const le=I.getParameter(I.UNPACK_ROW_LENGTH),dn=I.getParameter(I.UNPACK_IMAGE_HEIGHT),zi=I.getParameter(I.UNPACK_SKIP_PIXELS),xn=I.getParameter(I.UNPACK_SKIP_ROWS),cs=I.getParameter(I.UNPACK_SKIP_IMAGES);I.pixelStorei(I.UNPACK_ROW_LENGTH,ye.width),I.pixelStorei(I.UNPACK_IMAGE_HEIGHT,ye.height),I.pixelStorei(I.UNPACK_SKIP_PIXELS,Xt),I.pixelStorei(I.UNPACK_SKIP_ROWS,Yt),I.pixelStorei(I.UNPACK_SKIP_IMAGES,kt);const Ie=y.isDataArrayTexture||y.isData3DTexture,Mn=k.isDataArrayTexture||k.isData3DTexture;if(y.isDepthTexture){const Cn=Ct.get(y),nn=Ct.get(k),sn=Ct.get(Cn.__renderTarget),ki=Ct.get(nn.__renderTarget);It.bindFramebuffer(I.READ_FRAMEBUFFER,sn.__webglFramebuffer),It.bindFramebuffer(I.DRAW_FRAMEBUFFER,ki.__webglFramebuffer);for(let Gn=0;Gn<Tt;Gn++)Ie&&(I.framebufferTextureLayer(I.READ_FRAMEBUFFER,I.COLOR_ATTACHMENT0,Ct.get(y).__webglTexture,G,kt+Gn),I.framebufferTextureLayer(I.DRAW_FRAMEBUFFER,I.COLOR_ATTACHMENT0,Ct.get(k).__webglTexture,dt,Le+Gn)),I.blitFramebuffer(Xt,Yt,yt,Lt,se,pe,yt,Lt,I.DEPTH_BUFFER_BIT,I.NEAREST);It.bindFramebuffer(I.READ_FRAMEBUFFER,null),It.bindFramebuffer(I.DRAW_FRAMEBUFFER,null)}else if(G!==0||y.isRenderTargetTexture||Ct.has(y)){const Cn=Ct.get(y),nn=Ct.get(k);It.bindFramebuffer(I.READ_FRAMEBUFFER,hi),It.bindFramebuffer(I.DRAW_FRAMEBUFFER,Ke);for(let sn=0;sn<Tt;sn++)Ie?I.framebufferTextureLayer(I.READ_FRAMEBUFFER,I.COLOR_ATTACHMENT0,Cn.__webglTexture,G,kt+sn):I.framebufferTexture2D(I.READ_FRAMEBUFFER,I.COLOR_ATTACHMENT0,I.TEXTURE_2D,Cn.__webglTexture,G),Mn?I.framebufferTextureLayer(I.DRAW_FRAMEBUFFER,I.COLOR_ATTACHMENT0,nn.__webglTexture,dt,Le+sn):I.framebufferTexture2D(I.DRAW_FRAMEBUFFER,I.COLOR_ATTACHMENT0,I.TEXTURE_2D,nn.__webglTexture,dt),G!==0?I.blitFramebuffer(Xt,Yt,yt,Lt,se,pe,yt,Lt,I.COLOR_BUFFER_BIT,I.NEAREST):Mn?I.copyTexSubImage3D(Ue,dt,se,pe,Le+sn,Xt,Yt,yt,Lt):I.copyTexSubImage2D(Ue,dt,se,pe,Xt,Yt,yt,Lt);It.bindFramebuffer(I.READ_FRAMEBUFFER,null),It.bindFramebuffer(I.DRAW_FRAMEBUFFER,null)}else Mn?y.isDataTexture||y.isData3DTexture?I.texSubImage3D(Ue,dt,se,pe,Le,yt,Lt,Tt,ee,Wt,ye.data):k.isCompressedArrayTexture?I.compressedTexSubImage3D(Ue,dt,se,pe,Le,yt,Lt,Tt,ee,ye.data):I.texSubImage3D(Ue,dt,se,pe,Le,yt,Lt,Tt,ee,Wt,ye):y.isDataTexture?I.texSubImage2D(I.TEXTURE_2D,dt,se,pe,yt,Lt,ee,Wt,ye.data):y.isCompressedTexture?I.compressedTexSubImage2D(I.TEXTURE_2D,dt,se,pe,ye.width,ye.height,ee,ye.data):I.texSubImage2D(I.TEXTURE_2D,dt,se,pe,yt,Lt,ee,Wt,ye);I.pixelStorei(I.UNPACK_ROW_LENGTH,le),I.pixelStorei(I.UNPACK_IMAGE_HEIGHT,dn),I.pixelStorei(I.UNPACK_SKIP_PIXELS,zi),I.pixelStorei(I.UNPACK_SKIP_ROWS,xn),I.pixelStorei(I.UNPACK_SKIP_IMAGES,cs),dt===0&&k.generateMipmaps&&I.generateMipmap(Ue),It.unbindTexture()},this.initRenderTarget=function(y){Ct.get(y).__webglFramebuffer===void 0&&Vt.setupRenderTarget(y)},this.initTexture=function(y){y.isCubeTexture?Vt.setTextureCube(y,0):y.isData3DTexture?Vt.setTexture3D(y,0):y.isDataArrayTexture||y.isCompressedArrayTexture?Vt.setTexture2DArray(y,0):Vt.setTexture2D(y,0),It.unbindTexture()},this.resetState=function(){R=0,U=0,F=null,It.reset(),Mt.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return Mi}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;const e=this.getContext();e.drawingBufferColorSpace=fe._getDrawingBufferColorSpace(t),e.unpackColorSpace=fe._getUnpackColorSpace()}}function Vd(i,t=!1){const e=i[0].index!==null,n=new Set(Object.keys(i[0].attributes)),s=new Set(Object.keys(i[0].morphAttributes)),r={},a={},o=i[0].morphTargetsRelative,l=new Je;let c=0;for(let u=0;u<i.length;++u){const h=i[u];let f=0;if(e!==(h.index!==null))return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+u+". All geometries must have compatible attributes; make sure index attribute exists among all geometries, or in none of them."),null;for(const p in h.attributes){if(!n.has(p))return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+u+'. All geometries must have compatible attributes; make sure "'+p+'" attribute exists among all geometries, or in none of them.'),null;r[p]===void 0&&(r[p]=[]),r[p].push(h.attributes[p]),f++}if(f!==n.size)return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+u+". Make sure all geometries have the same number of attributes."),null;if(o!==h.morphTargetsRelative)return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+u+". .morphTargetsRelative must be consistent throughout all geometries."),null;for(const p in h.morphAttributes){if(!s.has(p))return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+u+".  .morphAttributes must be consistent throughout all geometries."),null;a[p]===void 0&&(a[p]=[]),a[p].push(h.morphAttributes[p])}if(t){let p;if(e)p=h.index.count;else if(h.attributes.position!==void 0)p=h.attributes.position.count;else return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+u+". The geometry must have either an index or a position attribute"),null;l.addGroup(c,p,u),c+=p}}if(e){let u=0;const h=[];for(let f=0;f<i.length;++f){const p=i[f].index;for(let _=0;_<p.count;++_)h.push(p.getX(_)+u);u+=i[f].attributes.position.count}l.setIndex(h)}for(const u in r){const h=rf(r[u]);if(!h)return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed while trying to merge the "+u+" attribute."),null;l.setAttribute(u,h)}for(const u in a){const h=a[u][0].length;if(h===0)break;l.morphAttributes=l.morphAttributes||{},l.morphAttributes[u]=[];for(let f=0;f<h;++f){const p=[];for(let x=0;x<a[u].length;++x)p.push(a[u][x][f]);const _=rf(p);if(!_)return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed while trying to merge the "+u+" morphAttribute."),null;l.morphAttributes[u].push(_)}}return l}function rf(i){let t,e,n,s=-1,r=0;for(let c=0;c<i.length;++c){const u=i[c];if(t===void 0&&(t=u.array.constructor),t!==u.array.constructor)return console.error("THREE.BufferGeometryUtils: .mergeAttributes() failed. BufferAttribute.array must be of consistent array types across matching attributes."),null;if(e===void 0&&(e=u.itemSize),e!==u.itemSize)return console.error("THREE.BufferGeometryUtils: .mergeAttributes() failed. BufferAttribute.itemSize must be consistent across matching attributes."),null;if(n===void 0&&(n=u.normalized),n!==u.normalized)return console.error("THREE.BufferGeometryUtils: .mergeAttributes() failed. BufferAttribute.normalized must be consistent across matching attributes."),null;if(s===-1&&(s=u.gpuType),s!==u.gpuType)return console.error("THREE.BufferGeometryUtils: .mergeAttributes() failed. BufferAttribute.gpuType must be consistent across matching attributes."),null;r+=u.count*e}const a=new t(r),o=new un(a,e,n);let l=0;for(let c=0;c<i.length;++c){const u=i[c];if(u.isInterleavedBufferAttribute){const h=l/e;for(let f=0,p=u.count;f<p;f++)for(let _=0;_<e;_++){const x=u.getComponent(f,_);o.setComponent(f+h,_,x)}}else a.set(u.array,l);l+=u.count*e}return s!==void 0&&(o.gpuType=s),o}const Zn=0,hu=1,Gd=2,ra=3,vM=4,Wd=5,xM=6,fu=7,du=8,MM=100,SM=101,yM=102,Do=103,pu=104,Ui=105,dr=106,Xd=108,Dc=i=>i.rotateX(Math.PI/2),pr=(i,t,e,n,s=!0)=>Dc(new ou(n,e,t-i,28,1,!s)).translate(0,0,(i+t)/2),af=i=>Vd([pr(0,1/3,1,1),pr(1/3,1/2,i,0)]),of={[Gd]:()=>Dc(new ma(1,40,24)),[vM]:()=>Dc(new ma(1,40,24)),[Wd]:()=>pr(-1,1,1,1),[xM]:()=>new Ps(2,2,2),[Zn]:()=>new Ma(2,2),[MM]:()=>af(1.75),[SM]:()=>af(1),[yM]:()=>Vd([pr(-1/3,1/3,1,1),pr(1/3,1/2,1.75,0),pr(-1/2,-1/3,0,1.75)]),[Xd]:()=>{const i=new Je;return i.setAttribute("position",new We([0,0,0,1,0,0,0,1,0],3)),i.setAttribute("normal",new We([0,0,1,0,0,1,0,0,1],3)),i},[Do]:()=>{const i=new Je;return i.setAttribute("position",new We([0,0,0,0,0,1],3)),i},[pu]:()=>new Tg(new Ps(2,2,2))},lf={};function cf(i){return i in of?(lf[i]??=of[i](),lf[i]):null}const so=28,ro=9;let go=null;function EM(){const i=[],t=[];for(let n=0;n<2;n++)for(let s=0;s<ro;s++){const r=Math.PI/2*(n?s/(ro-1):s/(ro-1)-1);for(let a=0;a<=so;a++){const o=2*Math.PI*a/so;i.push([Math.cos(r)*Math.cos(o),Math.cos(r)*Math.sin(o),Math.sin(r),n?1:-1])}}const e=so+1;for(let n=0;n+1<2*ro;n++)for(let s=0;s<so;s++){const r=n*e+s;t.push(r,r+1,r+e,r+1,r+e+1,r+e)}return{unit_points:i,index:t}}function bM(){go??=EM();const i=new Je,t=go.unit_points.flatMap(([e,n,s])=>[e,n,s]);return i.setAttribute("position",new We(new Float32Array(t.length),3)),i.setAttribute("normal",new We(t,3)),i.setIndex(go.index),i}function TM(i,[t,e,n]){const s=i.getAttribute("position"),r=(t+e)/2,a=n-r;go.unit_points.forEach(([o,l,c,u],h)=>{s.setXYZ(h,o*t,l*e,c*r+u*a)}),s.needsUpdate=!0,i.computeBoundingSphere()}function wM({n:i,pos:t,normal:e,uv:n}){const s=new Je;return s.setAttribute("position",new un(t,3)),s.setAttribute("normal",Yd(e,i)),n&&s.setAttribute("uv",new un(n,2)),s}function Yd(i,t){const e=new Int8Array(4*t);e.set(i);const n=new Cd(e,4);return new pa(n,3,0,!0)}const AM=new Uint8Array(256).map((i,t)=>{const e=t/255;return Math.round(255*(e<=.04045?e/12.92:((e+.055)/1.055)**2.4))});function uf(i,t,e){const n=new Uint8Array(4*e);for(let s=0;s<e;s++){for(let r=0;r<3;r++){const a=i.data[(t+s)*i.channels+Math.min(r,i.channels-1)];n[4*s+r]=i.srgb?AM[a]:a}n[4*s+3]=i.channels===4?i.data[(t+s)*4+3]:255}return n}function hf(i){return i.generateMipmaps=!0,i.minFilter=es,i.magFilter=li,i.anisotropy=8,i.needsUpdate=!0,i}function RM(i){if(!i.complete)return null;if(i.kind==="2d"){const n=new Rc(uf(i,0,i.width*i.height),i.width,i.height);return n.wrapS=n.wrapT=vo,hf(n)}const t=i.width*i.width,e=[0,1,2,3,4,5].map(n=>{const s=i.width===i.height?0:n*t;return new Rc(uf(i,s,t),i.width,i.width)});for(const n of e)n.needsUpdate=!0;return hf(new su(e))}function CM(i){const t=Math.max(i.shininess*128,.001);return[i.specular*.45/(.25*(t/2+1)),t]}class PM{constructor(t){this.model=t,this.textures=t.textures.map(e=>RM(e)),this.cache=new Map,this.wireframe=!1,this.textured=!0}dispose(){for(const t of this.textures)t?.dispose();for(const t of this.cache.values())t.dispose();this.cache.clear()}paint(t,e,n){const s=this.model.materials[t.matid];if(!this.textured||!s||s.texture===null)return null;const r=this.textures[s.texture];if(!r)return null;const a=r.isCubeTexture;if(t.texcoord)return a?null:{map:r,mode:"given",scale:[1,1,1]};if(t.type===Ui||t.type===dr)return null;const o=c=>t.type===ra?1/(e[c]||1):1;if(a){const c=s.uniform?e:[1,1,1];return{map:r,mode:"cube",scale:[0,1,2].map(u=>c[u]*o(u))}}const l=c=>{let u=s.repeat[c];return t.dataid>=0&&e[c]>0&&(u/=e[c]),s.uniform&&e[c]>0&&(u*=e[c]),t.type===Zn&&(u*=e[c]>0?e[c]:n),u*o(c)};return{map:r,mode:"flat",scale:[l(0),l(1),1]}}get(t,e,n){const s=this.paint(t,e,n),r=t.type===Do||t.type===pu,a=JSON.stringify([r,n,t.rgba,t.emission,t.specular,t.shininess,t.type===Zn&&t.reflectance,t.type===Zn,t.type>=Ui,this.wireframe,s&&[s.map.id,s.mode,s.scale]]);let o=this.cache.get(a);if(!o){if(this.cache.size>4e3){for(const l of this.cache.values())l.dispose();this.cache.clear()}o=r?this.line(t):this.surface(t,s,n),this.cache.set(a,o)}return o}line(t){const[e,n,s,r]=t.rgba;return new Ld({color:new ae(e,n,s),transparent:r<1,opacity:r})}surface(t,e,n){const[s,r,a,o]=t.rgba,[l,c]=CM(t),u=new ae(s,r,a),h=new wg({color:u,shininess:c,specular:new ae(l,l,l),emissive:u.clone().multiplyScalar(t.emission),transparent:o<1||n,opacity:o,depthWrite:o>=1||n,wireframe:this.wireframe,side:t.type===Zn||t.type>=Ui||t.type===fu||t.type===du?ai:Oi});h.shadowSide=t.type===hu||t.type>=Ui?ai:null;const f={endless:{value:n||0},mirror:{value:null},mirrored:{value:0},mirrorMatrix:{value:new Ee}};return h.userData.uniforms=f,h.onBeforeCompile=p=>{Object.assign(p.uniforms,f),e&&(p.uniforms.paint={value:e.map},p.uniforms.paintScale={value:new V(...e.scale)}),UM(p,e,n,t.type===Zn)},h.customProgramCacheKey=()=>`${e?.mode}/${!!n}/${t.type===Zn}`,h}}const DM={given:"vPaint = vec3(uv, 0.0);",flat:"vPaint = vec3(0.5 * paintScale.x * position.x - 0.5, -0.5 * paintScale.y * position.y - 0.5, 0.0);",cube:"vPaint = paintScale * position;"},LM={given:"diffuseColor *= texture2D(paint, vPaint.xy);",flat:"diffuseColor *= texture2D(paint, vPaint.xy);",cube:"diffuseColor *= textureCube(paint, vPaint);"};function UM(i,t,e,n){let s="",r="",a="",o="",l="";if(t){r+=`varying vec3 vPaint;
uniform vec3 paintScale;
`,s+=DM[t.mode];const c=t.mode==="cube"?"samplerCube":"sampler2D";o+=`varying vec3 vPaint;
uniform ${c} paint;
`,a+=LM[t.mode]}n&&(a+=`if (!gl_FrontFacing) diffuseColor.a *= 0.3;
`,o+=`uniform sampler2D mirror;
uniform float mirrored;
uniform float endless;
`,r+=`varying vec4 vScreen;
uniform mat4 mirrorMatrix;
`,o+=`varying vec4 vScreen;
`,l+=`if (mirrored > 0.0 && gl_FrontFacing) {
      vec3 seen = texture2D(mirror, 0.5 * vScreen.xy / vScreen.w + 0.5).rgb;
      gl_FragColor.rgb = mix(gl_FragColor.rgb, seen, mirrored);
    }
`),e&&(l+=`gl_FragColor.a *= 1.0 - smoothstep(0.35, 1.0, length(vViewPosition) / endless);
`),i.vertexShader=r+i.vertexShader.replace("#include <begin_vertex>",`#include <begin_vertex>
${s}`).replace("#include <fog_vertex>",`#include <fog_vertex>
${n?"vScreen = mirrorMatrix * modelMatrix * vec4(position, 1.0);":""}`),i.fragmentShader=o+i.fragmentShader.replace("#include <map_fragment>",`#include <map_fragment>
${a}`).replace("#include <dithering_fragment>",`#include <dithering_fragment>
${l}`)}const ff=0,IM=1,NM=8,FM=4;class OM{constructor(t,e){this.scene=t,this.finest=e,this.ambient=new Lg(16777215,Math.PI),this.head=new Ph(16777215,Math.PI),t.add(this.ambient,this.head,this.head.target),this.lamps=[],this.shadows=!0}set_model(t){this.model=t;for(const e of this.lamps)this.scene.remove(e,e.target);this.lamps=[]}cast(t){this.shadows=t;for(const e of this.lamps)e.castShadow=t&&e.userData.shadow}set_frame(t){const e=t.slice(0,NM),n=e.reduce((o,l)=>o.map((c,u)=>c+l.ambient[u]),[0,0,0]);this.ambient.color.setRGB(...e.length?n:[.3,.3,.3]);const s=e.find(o=>o.head);this.head.visible=!!s,s&&this.head.color.setRGB(...s.diffuse);const r=e.filter(o=>!o.head&&(o.type===ff||o.type===IM)),a=r.map(o=>`${o.id}/${o.type}/${o.shadow}`).join();if(a!==this.kinds||this.lamps.length!==r.length){for(const l of this.lamps)this.scene.remove(l,l.target),l.dispose();let o=0;this.lamps=r.map(l=>this.make(l,l.shadow&&o++<FM)),this.kinds=a}r.forEach((o,l)=>this.place(this.lamps[l],o))}make(t,e){const n=t.type===ff,s=n?new Pg(16777215,Math.PI):new Ph(16777215,Math.PI),{extent:r,visual:a}=this.model;if(n&&(s.decay=0),s.userData.shadow=e,s.castShadow=e&&this.shadows,s.shadow.mapSize.setScalar(Math.min(Math.max(a.shadowsize,256),this.finest)),s.shadow.bias=-5e-4,s.shadow.normalBias=.004*r,s.shadow.radius=2.5,!n){const o=r*Math.max(a.shadowclip,1);Object.assign(s.shadow.camera,{left:-o,right:o,top:o,bottom:-o})}return this.scene.add(s,s.target),s}place(t,e){const{extent:n,center:s}=this.model,r=new V(...e.dir).normalize(),a=new V(...e.pos);let o=1;if(t.isSpotLight){const l=a.distanceTo(new V(...s)),[c,u,h]=e.attenuation;o=1/Math.max(c+u*l+h*l*l,1e-10),t.angle=Math.min(e.cutoff,89.9)*Math.PI/180,t.penumbra=Math.min(1,.15+e.exponent/20),t.shadow.camera.near=.02*n,t.shadow.camera.far=l+8*n}else{const l=new V(...s).sub(a);a.add(l.projectOnPlane(r)).addScaledVector(r,-2*n),t.shadow.camera.near=0,t.shadow.camera.far=12*n+new V(...e.pos).distanceTo(new V(...s))}t.color.setRGB(...e.diffuse.map(l=>l*o)),t.position.copy(a),t.target.position.copy(a).add(r),t.target.updateMatrixWorld(),t.shadow.camera.updateProjectionMatrix()}follow(t){const e=new V(0,0,-1).applyQuaternion(t.quaternion);this.head.position.copy(t.position),this.head.target.position.copy(t.position).add(e),this.head.target.updateMatrixWorld()}}class BM{constructor(t){this.target=new rs(512,512,{samples:t}),this.camera=new Pn}render(t,e,n,s,r){const{object:a,material:o,geom:l}=s,c=new V(0,0,1).applyQuaternion(a.quaternion),u=a.position;if(n.position.clone().sub(u).dot(c)<=0)return;const f=t.getDrawingBufferSize(new ie),[p,_]=[Math.ceil(f.x/2),Math.ceil(f.y/2)];(this.target.width!==p||this.target.height!==_)&&this.target.setSize(p,_);const x=R=>R.clone().sub(u).reflect(c).add(u),m=new V(0,0,-1).applyQuaternion(n.quaternion).add(n.position),d=new V(0,1,0).applyQuaternion(n.quaternion).reflect(c),T=this.camera;T.position.copy(x(n.position)),T.up.copy(d),T.lookAt(x(m)),T.near=n.near,T.far=n.far,T.updateMatrixWorld(),T.projectionMatrix.copy(n.projectionMatrix),T.projectionMatrixInverse.copy(n.projectionMatrixInverse),a.visible=!1,r.visible=!1;const w=new Ji().setFromNormalAndCoplanarPoint(c,u);t.clippingPlanes=[w];const S=t.shadowMap.autoUpdate;t.shadowMap.autoUpdate=!1,t.setRenderTarget(this.target),t.clear(),t.render(e,T),t.setRenderTarget(null),t.shadowMap.autoUpdate=S,t.clippingPlanes=[],a.visible=!0,r.visible=!0;const L=o.userData.uniforms;L.mirror.value=this.target.texture,L.mirrored.value=l.reflectance,L.mirrorMatrix.value.multiplyMatrices(T.projectionMatrix,T.matrixWorldInverse)}}fe.enabled=!1;const zM=10,Ll=4;class kM{constructor(t){const e=HM();this.renderer=new _M({canvas:t,antialias:!e,preserveDrawingBuffer:!0}),this.renderer.outputColorSpace=Cs,this.renderer.shadowMap.enabled=!0,this.renderer.shadowMap.type=e?Yc:ud,this.scene=new gg,this.lights=new OM(this.scene,e?1024:4096),this.mirror=new BM(e?0:4),this.labels=new XM(this.scene),this.show={shadow:!0,reflection:!0,skybox:!0,fog:!1,haze:!0,wireframe:!1,extra:!0},this.backdrop=WM(),this.model=null,this.slots=[],this.style=null}set_model(t){for(const n of this.slots)this.remove(n);this.slots=[],this.style=null,this.materials?.dispose(),this.surfaces?.forEach(n=>n.dispose()),this.model=t,this.materials=new PM(t),this.surfaces=new Map;const e=t.textures.findIndex(n=>n.kind==="skybox");this.sky?.dispose(),this.sky=e>=0&&this.materials.textures[e]?GM(this.materials.textures[e]):null,this.endless=Math.min(t.visual.zfar,40)*t.extent*.8,this.lights.set_model(t)}set_style(t){this.style=t;const{geoms:e}=t;for(;this.slots.length>e.length;)this.remove(this.slots.pop());e.forEach((n,s)=>{const r=this.slots[s];r&&r.geom.type===n.type&&r.geom.dataid===n.dataid&&r.geom.objid===n.objid?(r.geom=n,r.material=null):(r&&this.remove(r),this.slots[s]={geom:n,size:[NaN,NaN,NaN],object:null,material:null})})}remove(t){t.object&&(this.scene.remove(t.object),t.owned&&t.owned.dispose(),t.object.isInstancedMesh&&t.object.dispose())}surface(t,e,n){const s=`${t}${e}`;return this.surfaces.has(s)||this.surfaces.set(s,n?wM(n):new Je),this.surfaces.get(s)}geometry(t){const{type:e,dataid:n}=t.geom;if(e===fu||e===du){const s=this.model.meshes[n>>1];return s&&this.surface("mesh",n,n&1?s.hull:s.surface)}return e===hu?this.surface("hfield",n,this.model.hfields[n]):e===ra?t.owned=bM():e===Ui||e===dr?t.owned=new Je:cf(e)}make(t){const e=this.geometry(t);if(!e)return;const{type:n,category:s}=t.geom,r=n===Do||n===pu;t.object=r?new bg(e):new zn(e),t.object.matrixAutoUpdate=!1,t.object.castShadow=!r&&s!==Ll&&n!==Zn,t.object.receiveShadow=!r&&s!==Ll,t.object.frustumCulled=n!==Ui&&n!==dr&&n!==ra&&n!==Zn,this.scene.add(t.object)}set_frame(t){if(!this.style||t.style!==this.style.version)return!1;this.frame=t,this.slots.forEach((e,n)=>this.place(e,t.poses,n*zM)),this.lights.set_frame(t.lights);for(const e of t.surfaces)this.set_surface(this.slots[e.geom],e);return this.set_parts(t),this.labels.set(this.slots.map(e=>[e.geom.label,e.position])),!0}place(t,e,n){t.object||this.make(t),t.position=[e[n],e[n+1],e[n+2]];const{object:s,geom:r}=t;if(!s)return;const a=[e[n+7],e[n+8],e[n+9]],o=a.some((c,u)=>c!==t.size[u]);t.size=a;const l=r.type===Zn;t.endless=l&&(a[0]<=0||a[1]<=0)?this.endless:0,(!t.material||o&&r.matid>=0)&&(t.material=this.materials.get(r,a,t.endless),s.material=t.material,s.renderOrder=t.endless?-1:0),r.type===ra&&o&&TM(t.owned,a),s.position.set(...t.position),s.quaternion.set(e[n+3],e[n+4],e[n+5],e[n+6]),VM(s.scale,r.type,a,t.endless),(r.type===Ui||r.type===dr)&&(s.position.set(0,0,0),s.quaternion.identity()),s.visible=this.show.extra||!r.extra,s.updateMatrix()}set_surface(t,{n:e,pos:n,normal:s,uv:r}){const a=t?.owned;if(!a)return;const o=t.geom.type===dr?this.model.skins[t.geom.objid]:null,l=a.getAttribute("position");if(l&&l.count===e){l.array.set(n),l.needsUpdate=!0;const u=a.getAttribute("normal").data;u.array.set(s),u.needsUpdate=!0}else a.setAttribute("position",new un(n.slice(),3).setUsage(Vm)),a.setAttribute("normal",Yd(s,e)),o&&a.setIndex(new un(o.index,1));const c=o?o.texcoord:r;c&&a.setAttribute("uv",new un(c.slice(),2)),a.setDrawRange(0,1/0)}set_parts(t){const e=new Set,n=(u,h,f,p)=>{const _=this.slots[h.geom];if(!_)return;e.add(_),_.parts??={};let x=_.parts[u];if(!x||x.count!==f){x&&this.scene.remove(x);const m=cf(u==="tubes"?Wd:Gd);x=_.parts[u]=new xg(m,_.object.material,f),x.castShadow=x.receiveShadow=!0,x.frustumCulled=!1,this.scene.add(x)}x.material=_.object.material;for(let m=0;m<f;m++)x.setMatrixAt(m,p(m));x.instanceMatrix.needsUpdate=!0},s=new Ee,r=new Ar,a=new V(0,0,1),o=new V,l=new V,c=new V;for(const u of t.tubes)n("tubes",u,u.points.length/6,h=>{o.fromArray(u.points,6*h),l.fromArray(u.points,6*h+3);const f=o.distanceTo(l);return r.setFromUnitVectors(a,c.copy(l).sub(o).normalize()),s.compose(o.add(l).multiplyScalar(.5),r,c.set(u.radius,u.radius,f/2))});for(const u of t.balls)n("balls",u,u.points.length/3,h=>(o.fromArray(u.points,3*h),s.compose(o,r.identity(),c.setScalar(u.radius))));for(const u of this.slots)if(!(!u.parts||e.has(u))){for(const h of Object.values(u.parts))this.scene.remove(h);u.parts=null}for(const u of this.slots)u.geom.type===Ui&&u.object&&(u.object.visible=t.surfaces.some(h=>this.slots[h.geom]===u))}resize(t,e,n){this.renderer.setPixelRatio(n),this.renderer.setSize(t,e,!1)}render(t){const{show:e,scene:n,renderer:s,model:r}=this,a=e.skybox&&this.sky;n.background=a?null:this.backdrop,this.materials.wireframe!==e.wireframe&&this.restyle(),s.shadowMap.enabled!==e.shadow&&(s.shadowMap.enabled=e.shadow,this.lights.cast(e.shadow));const o=r.visual;n.fog=e.fog?new ru(new ae(...o.fogColor.slice(0,3)),o.fogstart*r.extent,o.fogend*r.extent):null,this.lights.follow(t);for(const c of this.slots)c.endless&&this.recenter(c,t);a?(a.parent!==n&&n.add(a),a.position.copy(t.position),a.scale.setScalar(t.far*.6),a.updateMatrixWorld()):this.sky&&n.remove(this.sky),this.labels.face(t);const l=e.reflection&&this.slots.find(c=>c.geom.type===Zn&&c.geom.reflectance>0&&c.object?.visible&&c.material);for(const c of this.slots){const u=c.material?.userData.uniforms;u&&(u.mirrored.value=0)}l&&this.mirror.render(s,n,t,l,this.labels.group),s.render(n,t)}restyle(){this.materials.wireframe=this.show.wireframe;for(const t of this.slots)t.material=null;this.frame&&this.set_frame(this.frame)}recenter(t,e){const{object:n,geom:s}=t,r=this.model.materials[s.matid]?.repeat??[0,0],a=new V(...t.position),o=e.position.clone().sub(a);for(let l=0;l<2;l++){if(t.size[l]>0)continue;const c=r[l]>0?2/r[l]:1,u=new V().setComponent(l,1).applyQuaternion(n.quaternion);a.addScaledVector(u,2*c*Math.round(o.dot(u)/(2*c)))}n.position.copy(a),n.updateMatrix()}pick(t,e,n){const s=new Ig;s.setFromCamera(new ie(e,n),t);const r=this.slots.filter(a=>a.object?.isMesh&&a.object.visible&&a.geom.category!==Ll);return r.forEach(a=>a.object.updateMatrixWorld()),s.intersectObjects(r.map(a=>a.object),!1)[0]?.point.toArray()}}function HM(){const i=document.createElement("canvas").getContext("webgl2"),t=i?.getExtension("WEBGL_debug_renderer_info"),e=t?i.getParameter(t.UNMASKED_RENDERER_WEBGL):"";return i?.getExtension("WEBGL_lose_context")?.loseContext(),/swiftshader|llvmpipe|software|basic render/i.test(e)}function VM(i,t,[e,n,s],r){switch(t){case Zn:return i.set(e>0?e:r,n>0?n:r,1);case ra:case fu:case du:case hu:case Ui:case dr:return i.set(1,1,1);case Do:return i.set(1,1,s);case Xd:return i.set(e,n,1);default:return i.set(e||1e-9,n||1e-9,s||1e-9)}}function GM(i){const t=new Bi({uniforms:{map:{value:i}},vertexShader:"varying vec3 dir; void main() { dir = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",fragmentShader:"uniform samplerCube map; varying vec3 dir; void main() { gl_FragColor = vec4(textureCube(map, vec3(dir.x, dir.z, -dir.y)).rgb, 1.0); }",side:An,depthWrite:!1,depthTest:!1}),e=new zn(new ma(1,48,32),t);return e.renderOrder=-10,e.frustumCulled=!1,e.dispose=()=>{e.geometry.dispose(),t.dispose()},e}function WM(){const i=document.createElement("canvas");[i.width,i.height]=[4,256];const t=i.getContext("2d"),e=t.createLinearGradient(0,0,0,256);for(const[n,s]of[[0,"#3d4a5a"],[.55,"#1f2731"],[1,"#12171d"]])e.addColorStop(n,s);return t.fillStyle=e,t.fillRect(0,0,4,256),new Ud(i)}class XM{constructor(t){this.group=new Qr,t.add(this.group),this.cache=new Map}set(t){const e=t.filter(([n])=>n);for(;this.group.children.length>e.length;)this.group.remove(this.group.children.at(-1));e.forEach(([n,s],r)=>{let a=this.group.children[r];a||this.group.add(a=new _g),a.userData.text!==n&&(a.material=this.material(n),a.userData.text=n,a.userData.aspect=a.material.map.image.width/a.material.map.image.height),a.position.set(...s)})}material(t){if(this.cache.size>2e3&&this.cache.clear(),!this.cache.has(t)){const e=document.createElement("canvas"),n=e.getContext("2d"),s="600 28px system-ui, sans-serif";n.font=s,e.width=Math.ceil(n.measureText(t).width)+16,e.height=40,n.font=s,n.lineWidth=5,n.strokeStyle="rgba(10, 14, 18, 0.85)",n.fillStyle="#fff",n.strokeText(t,8,29),n.fillText(t,8,29);const r=new Ud(e);this.cache.set(t,new Pd({map:r,depthTest:!1,sizeAttenuation:!1}))}return this.cache.get(t)}face(t){const e=t.isOrthographicCamera?.05*(t.top-t.bottom):.024;for(const n of this.group.children)n.scale.set(e*n.userData.aspect,e,1)}}const bs=0,Lc=1,ga=2,Kr=Math.PI/180;class YM{constructor(){this.camera=new Pn(45,1,.01,100),this.ortho=new cu(-1,1,1,-1,.01,100),this.camera.up.set(0,0,1),this.ortho.up.set(0,0,1),this.is={type:bs,fixedcamid:-1,trackbodyid:-1,orthographic:0,lookat:[0,0,0],distance:2,azimuth:90,elevation:-45},this.model=null,this.poses=null,this.aspect=1,this.version=0}set_model(t){this.model=t,this.poses=null}adopt(t){if(t.version!==this.version){this.version=t.version;for(const e of Object.keys(this.is))this.is[e]=t[e]}}free(){this.is.type!==bs&&(this.is.type=bs)}forward(){const{azimuth:t,elevation:e}=this.is,[n,s]=[t*Kr,e*Kr];return[Math.cos(s)*Math.cos(n),Math.cos(s)*Math.sin(n),Math.sin(s)]}rotate(t,e){this.leave_fixed(),this.is.azimuth-=t*180,this.is.elevation=Math.min(89,Math.max(-89,this.is.elevation-e*180)),this.is.azimuth>180&&(this.is.azimuth-=360),this.is.azimuth<-180&&(this.is.azimuth+=360)}zoom(t){this.leave_fixed();const{extent:e}=this.model;this.is.distance=Math.min(100*e,Math.max(.01*e,this.is.distance*Math.exp(t)))}pan(t,e,n){this.leave_fixed(),this.is.type===Lc&&(this.is.type=bs);const s=2*Math.tan(this.model.visual.fovy*Kr/2)*this.is.distance,r=new V().setFromMatrixColumn(this.camera.matrixWorld,0),a=new V().setFromMatrixColumn(this.camera.matrixWorld,1);if(n){const[o,l]=this.forward();a.set(o,l,0).normalize()}for(let o=0;o<3;o++)this.is.lookat[o]+=(-t*r.getComponent(o)+e*a.getComponent(o))*s}leave_fixed(){if(this.is.type!==ga)return;const t=this.camera.position.clone(),e=new V(0,0,-1).applyQuaternion(this.camera.quaternion);this.is.type=bs,this.is.elevation=Math.asin(Math.min(1,Math.max(-1,e.z)))/Kr,this.is.azimuth=Math.atan2(e.y,e.x)/Kr,this.is.lookat=t.addScaledVector(e,this.is.distance).toArray()}update(){const{model:t,is:e}=this,n=t.visual.zfar*t.extent,s=t.visual.znear*t.extent,r=e.type===ga&&this.poses&&t.cameras[e.fixedcamid],a=r?r.orthographic:t.visual.orthographic,o=a?this.ortho:this.camera;if(o.near=s,o.far=n,r){const l=7*e.fixedcamid;o.position.fromArray(this.poses,l),o.quaternion.fromArray(this.poses,l+3);const c=(r.above+r.below)/2*this.aspect,[u,h]=[r.aside-c,r.aside+c];if(a)this.box(o,r.above);else{const f=s/r.near;o.projectionMatrix.makePerspective(u*f,h*f,r.above*f,-r.below*f,s,n),o.projectionMatrixInverse.copy(o.projectionMatrix).invert()}}else{const l=this.forward();o.position.set(...e.lookat.map((c,u)=>c-e.distance*l[u])),o.lookAt(...e.lookat),a?this.box(o,t.visual.fovy/2):(o.fov=t.visual.fovy,o.aspect=this.aspect,o.updateProjectionMatrix())}return o.updateMatrixWorld(),o}box(t,e){t.top=e,t.bottom=-e,t.right=e*this.aspect,t.left=-t.right,t.updateProjectionMatrix()}}const qM=3,$M=350;class KM{constructor(t,e,n){this.canvas=t,this.view=e,this.app=n,this.hand=!1,this.drag=null,this.fingers=new Map,t.addEventListener("pointerdown",s=>this.down(s)),t.addEventListener("pointermove",s=>this.move(s)),t.addEventListener("pointerup",s=>this.up(s)),t.addEventListener("pointercancel",s=>this.up(s)),t.addEventListener("contextmenu",s=>s.preventDefault()),t.addEventListener("wheel",s=>{s.preventDefault(),e.zoom(Math.sign(s.deltaY)*Math.min(Math.abs(s.deltaY)/600,.3)),n.looked()},{passive:!1}),t.addEventListener("dblclick",s=>n.send({do:"select",...this.pointer(s)}))}pointer(t){const e=this.canvas.getBoundingClientRect(),{version:n,...s}=this.view.is;return{camera:s,aspect:e.width/e.height,x:(t.clientX-e.left)/e.width,y:1-(t.clientY-e.top)/e.height}}down(t){if(this.canvas.setPointerCapture(t.pointerId),this.canvas.focus(),t.pointerType==="touch"&&this.touch(t))return;const e=t.button===0,n=this.app.live&&(this.hand&&e&&!t.ctrlKey||(t.ctrlKey||t.metaKey)&&t.button!==1);if(this.drag={x:t.clientX,y:t.clientY,left:e,pulls:n,turn:n&&e&&!this.hand,far:0},!e&&this.twice(t)){this.app.focus(this.pointer(t),t.ctrlKey),this.drag=null;return}if(n){const s=this.hand||!this.app.state?.selected;this.app.send({do:"grab",...this.pointer(t),turn:this.drag.turn,pick:s}),this.canvas.style.cursor="grabbing"}}twice(t,e=6){const n=this.last;return this.last={time:t.timeStamp,x:t.clientX,y:t.clientY},n&&t.timeStamp-n.time<$M&&Math.hypot(t.clientX-n.x,t.clientY-n.y)<e}touch(t){return this.fingers.set(t.pointerId,{x:t.clientX,y:t.clientY}),this.fingers.size>1?(this.release(),this.span=this.spread(),!0):this.twice(t,24)?(this.app.send({do:"select",...this.pointer(t)}),!0):!1}spread(){const[t,e]=[...this.fingers.values()];return{x:(t.x+e.x)/2,y:(t.y+e.y)/2,far:Math.max(Math.hypot(t.x-e.x,t.y-e.y),1)}}pinch(){const t=this.spread(),e=this.canvas.clientHeight;this.view.pan((t.x-this.span.x)/e,(t.y-this.span.y)/e,!1),this.view.zoom(Math.log(this.span.far/t.far)),this.span=t,this.app.looked()}move(t){if(this.fingers.has(t.pointerId)&&(this.fingers.set(t.pointerId,{x:t.clientX,y:t.clientY}),this.fingers.size>1))return this.pinch();if(!this.drag)return;const e=this.canvas.clientHeight,n=(t.clientX-this.drag.x)/e,s=(t.clientY-this.drag.y)/e;if(this.drag.far+=Math.abs(t.clientX-this.drag.x)+Math.abs(t.clientY-this.drag.y),!(this.drag.far<qM)){if([this.drag.x,this.drag.y]=[t.clientX,t.clientY],this.drag.pulls&&this.hand&&this.drag.far>60&&!this.app.state?.held&&(this.drag.pulls=!1),this.drag.pulls){const r=t.shiftKey?"-level":"";this.app.send({do:"drag",action:(this.drag.turn?"turn":"move")+r,dx:n,dy:s});return}this.drag.left?this.view.rotate(n,s):this.view.pan(n,s,t.shiftKey),this.app.looked()}}up(t){this.fingers.delete(t.pointerId),this.fingers.size>1&&(this.span=this.spread()),this.release()}release(){this.drag?.pulls&&this.app.send({do:"release"}),this.drag=null,this.canvas.style.cursor=this.hand?"grab":""}}function tt(i,t={},...e){const n=document.createElement(i);for(const[s,r]of Object.entries(t))s.startsWith("on")?n.addEventListener(s.slice(2),r):s==="class"?n.className=r:s in n&&typeof r!="string"?n[s]=r:n.setAttribute(s,r);return n.append(...e.filter(s=>s!=null)),n}const jM={play:"M7 4.5v15l12-7.5z",pause:"M6 5h4v14H6zM14 5h4v14h-4z",step:"M5 5v14l9-7zM16 5h3v14h-3z",back:"M19 5v14l-9-7zM5 5h3v14H5z",reset:"M12 5a7 7 0 1 1-6.6 4.7l1.9.7A5 5 0 1 0 12 7v3L7 6l5-4z",camera:"M4 7h4l1.5-2h5L16 7h4v12H4zm8 2.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",video:"M3 6h12v12H3zm13 4 5-3v10l-5-3z",help:"M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm-1 13v2h2v-2zm1-10c-2 0-3.5 1.2-3.7 3.2h2c.2-1 .8-1.4 1.7-1.4 1 0 1.7.6 1.7 1.5 0 1.5-2.6 1.7-2.6 4.7h2c0-2 2.7-2.3 2.7-4.8C15.800 7.300 14.200 6 12 6z",hand:"M8 11V5.500a1.500 1.500 0 0 1 3 0V10h.5V4.500a1.500 1.500 0 0 1 3 0V10h.5V6a1.500 1.500 0 0 1 3 0v8c0 4-2.500 7-6 7-3 0-4.700-1.400-6-4l-2.300-4.500c-.8-1.600 1.200-2.800 2.300-1.500z",reload:"M12 4V1l5 4-5 4V6a6 6 0 1 0 6 6h2a8 8 0 1 1-8-8z",menu:"M4 6h16v2H4zm0 5h16v2H4zm0 5h16v2H4z",left:"M4 5h16v14H4zm2 2v10h4V7z",right:"M4 5h16v14H4zm10 2v10h4V7z",close:"M6 4.600 12 10.600l6-6L19.400 6l-6 6 6 6-1.400 1.400-6-6-6 6L4.600 18l6-6-6-6z"};function mu(i){const t="http://www.w3.org/2000/svg",e=document.createElementNS(t,"svg");e.setAttribute("viewBox","0 0 24 24");const n=document.createElementNS(t,"path");return n.setAttribute("d",jM[i]),n.setAttribute("fill-rule","evenodd"),e.append(n),e}function qn(i,t,e,n){return tt("button",{title:t,onclick:e,id:n??`do-${i}`,class:"icon"},mu(i))}function Si(i,t,...e){const n=tt("details",{open:t},tt("summary",{},i),...e);return n.id=`section-${i.toLowerCase().replaceAll(" ","-")}`,n}function _a(i,t,e){i.replaceChildren(...e?[tt("option",{value:""},e)]:[],...t.map((n,s)=>tt("option",{value:String(s)},n)))}const qd=i=>Math.abs(i)>=1e3||Math.abs(i)<.001&&i!==0?i.toExponential(2):i.toFixed(3),Ul=[["Convex hull","H"],["Texture","X"],["Joint","J"],["Camera","Q"],["Actuator","U"],["Activation",","],["Light","Z"],["Tendon","V"],["Range finder","Y"],["Equality","E"],["Inertia","I"],["Scaled inertia","'"],["Perturbation force","B"],["Perturbed object","O"],["Contact point","C"],["Island","N"],["Contact force","F"],["Contact split","P"],["Transparent","T"],["Auto connect","A"],["Centre of mass","M"],["Selected point",""],["Static body","D"],["Skin",";"],["Flex vertex",""],["Flex edge",""],["Flex face",""],["Flex skin",""],["Body tree","`"],["Mesh tree","\\"],["SDF iterations",""]],df=[["shadow","Shadow","S"],["reflection","Reflection","R"],["skybox","Sky","K"],["fog","Fog","G"],["wireframe","Wireframe","W"]],pf=["Geom","Site","Joint","Tendon","Actuator","Flex","Skin"],ZM=["None","Body","Joint","Geom","Site","Camera","Light","Tendon","Actuator","Constraint","Flex","Skin","Selection","Selected point","Contact point","Contact force","Island"],JM=["None","Body","Geom","Site","Camera","Light","Contact","World"],jr=[4,2,1,.5,.25,.1,.05,.02,.01],QM=[["Mouse",[["Left drag","turn the view"],["Right drag","move the view"],["Shift + right drag","move it level"],["Wheel","nearer, farther"],["Double click","select a body"],["Ctrl + right double click","track a body"],["Right double click","look at a point"],["Ctrl + right drag","pull what is selected"],["Ctrl + left drag","turn what is selected"],["Hand tool, left drag","pull what is under the cursor"]]],["Fingers",[["One finger","turns the view"],["Two fingers","move and zoom it"],["Double tap","select a body"],["Hand tool, one finger","pull a body"]]],["Time",[["Space","run, pause"],["→","one step"],["←","one state back"],["Backspace","reset"],["−  =","slower, faster"],["↑ ↓ ← →, Enter","commands of a policy"]]],["View",[["Esc","free camera"],["[  ]","cameras of the model"],["0 … 5","groups of geoms"],["Shift 0 … 5","groups of sites"],["Tab","left panel"],["Shift Tab","right panel"],["F1 or ?","this help"]]]];class tS{constructor(t){this.send=t,this.host=tt("div",{class:"physics"}),this.node=Si("Physics",!1,this.host)}set_model(t){this.entries=t.physics??[],this.fields=null}set_state({physics:t}){!t||!this.entries||(this.values=t,this.fields||(this.fields=this.entries.map((e,n)=>this.field(e,n)),this.host.replaceChildren(...this.fields.map(e=>e.node))),this.fields.forEach((e,n)=>e.show(t[n])))}set(t,e){this.values[t]=e,this.send({do:"option",name:this.entries[t].name,x:e})}field(t,e){return t.choice?this.choice(t,e):t.flags?this.flags(t,e):t.groups?this.groups(t,e):this.numbers(t,e)}choice({name:t,choice:e},n){const s=tt("select",{id:`option-${t}`,onchange:()=>this.set(n,[+s.value])},...e.map((r,a)=>tt("option",{value:String(a)},r)));return{node:mf(t,s),show:([r])=>{s.value=String(r)}}}numbers({name:t,range:[e,n],whole:s},r){const a=new Set,o=this.values[r].map((u,h)=>{const f=tt("input",{type:"number",step:s?"1":"any",id:`option-${t}${h?`-${h}`:""}`});return f.addEventListener("input",()=>a.add(f)),f.addEventListener("blur",()=>a.delete(f)),f.addEventListener("change",()=>{a.delete(f);const p=Math.min(n,Math.max(e,+f.value)),_=this.values[r].map((x,m)=>m===h?s?Math.round(p):p:x);f.value===""||_.some(Number.isNaN)?f.value=String(this.values[r][h]):this.set(r,_)}),f}),l=(u,h)=>u.value!==""&&+u.value===h,c=u=>o.forEach((h,f)=>{!a.has(h)&&!l(h,u[f])&&(h.value=String(u[f]))});return{node:mf(t,tt("div",{class:"numbers"},...o)),show:c}}flags({name:t,flags:e},n){const s=t==="disableflags",r=e.map((o,l)=>{const c=tt("input",{type:"checkbox",id:`option-${o}`,onchange:()=>this.flip(n,l,c.checked!==s)});return{input:c,label:tt("label",{class:"toggle",for:`option-${o}`},c,tt("span",{},o))}}),a=([o])=>r.forEach(({input:l},c)=>{l.checked=!!(o>>c&1)!==s});return{node:tt("div",{class:"grid two"},...r.map(o=>o.label)),show:a}}groups({name:t,groups:e},n){const s=Array.from({length:e},(a,o)=>tt("button",{class:"group",id:`option-${t}-${o}`,onclick:()=>this.flip(n,o,!(this.values[n][0]>>o&1))},String(o))),r=([a])=>s.forEach((o,l)=>o.classList.toggle("on",!(a>>l&1)));return{node:tt("div",{class:"groups"},tt("span",{},"Actuators"),tt("div",{},...s)),show:r}}flip(t,e,n){const[s]=this.values[t];this.set(t,[n?s|1<<e:s&~(1<<e)])}}function mf(i,t){return tt("div",{class:"row"},tt("span",{},i),t)}class Uc{constructor(t,e,n,s){const[r,a]=n??[-1,1];this.held=!1,this.value=tt("output",{},"0"),this.input=tt("input",{type:"range",id:t,min:String(r),max:String(a),step:String((a-r)/1e3||.001)}),this.input.addEventListener("input",()=>{this.show(+this.input.value),s(+this.input.value)}),this.input.addEventListener("pointerdown",()=>{this.held=!0});for(const o of["pointerup","pointercancel","blur"])this.input.addEventListener(o,()=>{this.held=!1});this.node=tt("div",{class:"slider",title:e},tt("span",{},e),this.input,this.value),this.open=!n}show(t){this.value.textContent=qd(t)}set(t){if(!(this.held||t===this.last)){if(this.last=t,this.open&&Math.abs(t)>+this.input.max){const e=Math.abs(t)*1.5;Object.assign(this.input,{min:String(-e),max:String(e),step:String(e/500)})}this.input.value=String(t),this.show(t)}}}class eS{constructor(t){this.send=t,this.shown=new Map,this.title=tt("summary",{},""),this.host=tt("div",{class:"widgets"}),this.node=tt("details",{open:!0,id:"section-script",hidden:!0},this.title,this.host)}set({title:t,list:e,steered:n}){this.title.textContent=t,this.steered=n?e.filter(a=>a.kind==="slider"):[],this.node.hidden=!e.length;const s=this.shown;this.shown=new Map(e.map(a=>[a.id,s.get(a.id)??this.make(a)]));for(const a of e)this.shown.get(a.id).show(a);const r=[...this.shown.values()].map(a=>a.node);(r.length!==this.host.children.length||r.some((a,o)=>a!==this.host.children[o]))&&this.host.replaceChildren(...r)}steer({key:t,shiftKey:e}){const n=this.steered??[],s=n.length-1;if(t==="Enter"&&n.length){for(const l of n)this.send({do:"widget",id:l.id,x:0});return!0}const r={ArrowUp:1,ArrowDown:-1}[t],a={ArrowLeft:1,ArrowRight:-1}[t],o=r?n[0]:a&&s>0?n[e?1:s]:null;return o?(this.send({do:"widget",id:o.id,by:(r??a)*(o.range[1]-o.range[0])/20}),!0):!1}make({id:t,kind:e,name:n,range:s,editable:r}){const a=c=>this.send({do:"widget",id:t,...c});if(e==="slider"){const c=new Uc(`widget-${t}`,n,s,u=>a({x:u}));return{node:c.node,show:u=>c.set(u.value)}}if(e==="button")return{node:tt("button",{class:"wide",id:`widget-${t}`,onclick:()=>a({})},n),show(){}};const o=r?tt("input",{type:"text",id:`widget-${t}`,onchange:()=>a({text:o.value})}):tt("output",{id:`widget-${t}`}),l=c=>{o!==document.activeElement&&(o[r?"value":"textContent"]=c.text)};return{node:tt("div",{class:"text-row"},tt("span",{},n),o),show:l}}}class nS{constructor(t){this.send=t,this.host=tt("div",{class:"keyframes"}),this.node=Si("Keyframes",!1,this.host,tt("button",{class:"wide",id:"new-key",onclick:()=>t({do:"new_key"})},"New keyframe from this pose"))}set(t){this.host.replaceChildren(...t.map((e,n)=>this.row(e,n)))}row({name:t,set:e,xml:n},s){const r=tt("textarea",{readOnly:!0,hidden:!0,rows:4,id:`key-xml-${s}`});r.value=n??"";const a=()=>{r.hidden=!r.hidden,r.hidden||r.select()};return tt("div",{},tt("div",{class:"key"},tt("button",{id:`key-${s}`,title:"Go to this keyframe",onclick:()=>this.send({do:"key",i:s})},t),n?tt("button",{id:`key-show-${s}`,title:"The keyframe as MJCF",onclick:a},"XML"):null,tt("button",{id:`key-set-${s}`,class:e?"on":"",title:"Set this keyframe to the present pose",onclick:()=>this.send({do:"set_key",i:s})},"Set")),r)}}const gf=[["Kinematics",8],["Inertia",9],["Collision",10],["Constraint rows",11],["Row inertia",12],["Velocity",4],["Actuation",5],["Solver",6],["Integration",7]];class iS{constructor(){const t=e=>{const n=tt("i",{}),s=tt("output",{},"–");return{name:e,bar:n,value:s,node:tt("div",{class:"stage"},tt("span",{},e),s,n)}};this.rows=[...gf.map(([e])=>t(e)),t("Rest")],this.total=tt("p",{class:"note",id:"step-time"},"no steps yet"),this.node=Si("Profiler",!1,this.total,...this.rows.map(e=>e.node))}set_frame({numbers:t}){const e=t[7];if(!this.node.open||!e?.length||e[0]===this.last)return;const n=this.last=e[0],s=gf.map(([,r])=>e[r]);s.push(Math.max(0,n-s.reduce((r,a)=>r+a,0))),this.total.textContent=`${n.toPrecision(3)} µs for a step`,this.rows.forEach(({bar:r,value:a},o)=>{r.style.width=`${(100*s[o]/Math.max(n,1e-9)).toFixed(1)}%`,a.textContent=`${s[o].toFixed(s[o]<10?2:0)} µs`})}}const sS=!0,en="u-",rS="uplot",aS=en+"hz",oS=en+"vt",lS=en+"title",cS=en+"wrap",uS=en+"under",hS=en+"over",fS=en+"axis",Ts=en+"off",dS=en+"select",pS=en+"cursor-x",mS=en+"cursor-y",gS=en+"cursor-pt",_S=en+"legend",vS=en+"live",xS=en+"inline",MS=en+"series",SS=en+"marker",_f=en+"label",yS=en+"value",ea="width",na="height",Zr="top",vf="bottom",cr="left",Il="right",gu="#000",xf=gu+"0",Nl="mousemove",Mf="mousedown",Fl="mouseup",Sf="mouseenter",yf="mouseleave",Ef="dblclick",ES="resize",bS="scroll",bf="change",To="dppxchange",_u="--",Pr=typeof window<"u",Ic=Pr?document:null,_r=Pr?window:null,TS=Pr?navigator:null;let xe,ao;function Nc(){let i=devicePixelRatio;xe!=i&&(xe=i,ao&&Oc(bf,ao,Nc),ao=matchMedia(`(min-resolution: ${xe-.001}dppx) and (max-resolution: ${xe+.001}dppx)`),As(bf,ao,Nc),_r.dispatchEvent(new CustomEvent(To)))}function On(i,t){if(t!=null){let e=i.classList;!e.contains(t)&&e.add(t)}}function Fc(i,t){let e=i.classList;e.contains(t)&&e.remove(t)}function ze(i,t,e){i.style[t]=e+"px"}function si(i,t,e,n){let s=Ic.createElement(i);return t!=null&&On(s,t),e?.insertBefore(s,n),s}function $n(i,t){return si("div",i,t)}const Tf=new WeakMap;function gi(i,t,e,n,s){let r="translate("+t+"px,"+e+"px)",a=Tf.get(i);r!=a&&(i.style.transform=r,Tf.set(i,r),t<0||e<0||t>n||e>s?On(i,Ts):Fc(i,Ts))}const wf=new WeakMap;function Af(i,t,e){let n=t+e,s=wf.get(i);n!=s&&(wf.set(i,n),i.style.background=t,i.style.borderColor=e)}const Rf=new WeakMap;function Cf(i,t,e,n){let s=t+""+e,r=Rf.get(i);s!=r&&(Rf.set(i,s),i.style.height=e+"px",i.style.width=t+"px",i.style.marginLeft=n?-t/2+"px":0,i.style.marginTop=n?-e/2+"px":0)}const vu={passive:!0},wS={...vu,capture:!0};function As(i,t,e,n){t.addEventListener(i,e,n?wS:vu)}function Oc(i,t,e,n){t.removeEventListener(i,e,vu)}Pr&&Nc();function ri(i,t,e,n){let s;e=e||0,n=n||t.length-1;let r=n<=2147483647;for(;n-e>1;)s=r?e+n>>1:Hn((e+n)/2),t[s]<i?e=s:n=s;return i-t[e]<=t[n]-i?e:n}function $d(i){return(e,n,s)=>{let r=-1,a=-1;for(let o=n;o<=s;o++)if(i(e[o])){r=o;break}for(let o=s;o>=n;o--)if(i(e[o])){a=o;break}return[r,a]}}const Kd=i=>i!=null,jd=i=>i!=null&&i>0,Lo=$d(Kd),AS=$d(jd);function RS(i,t,e,n=0,s=!1){let r=s?AS:Lo,a=s?jd:Kd;[t,e]=r(i,t,e);let o=i[t],l=i[t];if(t>-1)if(n==1)o=i[t],l=i[e];else if(n==-1)o=i[e],l=i[t];else for(let c=t;c<=e;c++){let u=i[c];a(u)&&(u<o?o=u:u>l&&(l=u))}return[o??Ce,l??-Ce]}function Uo(i,t,e,n){let s=Lf(i),r=Lf(t);i==t&&(s==-1?(i*=e,t/=e):(i/=e,t*=e));let a=e==10?Ni:Zd,o=s==1?Hn:jn,l=r==1?jn:Hn,c=o(a(Ze(i))),u=l(a(Ze(t))),h=yr(e,c),f=yr(e,u);return e==10&&(c<0&&(h=Pe(h,-c)),u<0&&(f=Pe(f,-u))),n||e==2?(i=h*s,t=f*r):(i=ep(i,h),t=Io(t,f)),[i,t]}function xu(i,t,e,n){let s=Uo(i,t,e,n);return i==0&&(s[0]=0),t==0&&(s[1]=0),s}const Mu=.1,Pf={mode:3,pad:Mu},aa={pad:0,soft:null,mode:0},CS={min:aa,max:aa};function wo(i,t,e,n){return No(e)?Df(i,t,e):(aa.pad=e,aa.soft=n?0:null,aa.mode=n?3:0,Df(i,t,CS))}function ge(i,t){return i??t}function PS(i,t,e){for(t=ge(t,0),e=ge(e,i.length-1);t<=e;){if(i[t]!=null)return!0;t++}return!1}function Df(i,t,e){let n=e.min,s=e.max,r=ge(n.pad,0),a=ge(s.pad,0),o=ge(n.hard,-Ce),l=ge(s.hard,Ce),c=ge(n.soft,Ce),u=ge(s.soft,-Ce),h=ge(n.mode,0),f=ge(s.mode,0),p=t-i,_=Ni(p),x=wn(Ze(i),Ze(t)),m=Ni(x),d=Ze(m-_);(p<1e-24||d>10)&&(p=0,(i==0||t==0)&&(p=1e-24,h==2&&c!=Ce&&(r=0),f==2&&u!=-Ce&&(a=0)));let T=p||x||1e3,w=Ni(T),S=yr(10,Hn(w)),L=T*(p==0?i==0?.1:1:r),R=Pe(ep(i-L,S/10),24),U=i>=c&&(h==1||h==3&&R<=c||h==2&&R>=c)?c:Ce,F=wn(o,R<U&&i>=U?U:oi(U,R)),b=T*(p==0?t==0?.1:1:a),E=Pe(Io(t+b,S/10),24),C=t<=u&&(f==1||f==3&&E>=u||f==2&&E<=u)?u:-Ce,z=oi(l,E>C&&t<=C?C:wn(C,E));return F==z&&F==0&&(z=100),[F,z]}const DS=new Intl.NumberFormat(Pr?TS.language:"en-US"),Su=i=>DS.format(i),Vn=Math,_o=Vn.PI,Ze=Vn.abs,Hn=Vn.floor,je=Vn.round,jn=Vn.ceil,oi=Vn.min,wn=Vn.max,yr=Vn.pow,Lf=Vn.sign,Ni=Vn.log10,Zd=Vn.log2,LS=(i,t=1)=>Vn.sinh(i)*t,Ol=(i,t=1)=>Vn.asinh(i/t),Ce=1/0;function Uf(i){return(Ni((i^i>>31)-(i>>31))|0)+1}function Bc(i,t,e){return oi(wn(i,t),e)}function Jd(i){return typeof i=="function"}function ce(i){return Jd(i)?i:()=>i}const US=()=>{},Qd=i=>i,tp=(i,t)=>t,IS=i=>null,If=i=>!0,Nf=(i,t)=>i==t,NS=/\.\d*?(?=9{6,}|0{6,})/gm,Ds=i=>{if(ip(i)||as.has(i))return i;const t=`${i}`,e=t.match(NS);if(e==null)return i;let n=e[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.split("e");return+`${Ds(s)}e${r}`}return Pe(i,n)};function Ms(i,t){return Ds(Pe(Ds(i/t))*t)}function Io(i,t){return Ds(jn(Ds(i/t))*t)}function ep(i,t){return Ds(Hn(Ds(i/t))*t)}function Pe(i,t=0){if(ip(i))return i;let e=10**t,n=i*e*(1+Number.EPSILON);return je(n)/e}const as=new Map;function np(i){return((""+i).split(".")[1]||"").length}function va(i,t,e,n){let s=[],r=n.map(np);for(let a=t;a<e;a++){let o=Ze(a),l=Pe(yr(i,a),o);for(let c=0;c<n.length;c++){let u=i==10?+`${n[c]}e${a}`:n[c]*l,h=(a>=0?0:o)+(a>=r[c]?0:r[c]),f=i==10?u:Pe(u,h);s.push(f),as.set(f,h)}}return s}const oa={},yu=[],Er=[null,null],Qi=Array.isArray,ip=Number.isInteger,FS=i=>i===void 0;function Ff(i){return typeof i=="string"}function No(i){let t=!1;if(i!=null){let e=i.constructor;t=e==null||e==Object}return t}function OS(i){return i!=null&&typeof i=="object"}const BS=Object.getPrototypeOf(Uint8Array),sp="__proto__";function br(i,t=No){let e;if(Qi(i)){let n=i.find(s=>s!=null);if(Qi(n)||t(n)){e=Array(i.length);for(let s=0;s<i.length;s++)e[s]=br(i[s],t)}else e=i.slice()}else if(i instanceof BS)e=i.slice();else if(t(i)){e={};for(let n in i)n!=sp&&(e[n]=br(i[n],t))}else e=i;return e}function qe(i){let t=arguments;for(let e=1;e<t.length;e++){let n=t[e];for(let s in n)s!=sp&&(No(i[s])?qe(i[s],br(n[s])):i[s]=br(n[s]))}return i}const zS=0,kS=1,HS=2;function VS(i,t,e){for(let n=0,s,r=-1;n<t.length;n++){let a=t[n];if(a>r){for(s=a-1;s>=0&&i[s]==null;)i[s--]=null;for(s=a+1;s<e&&i[s]==null;)i[r=s++]=null}}}function GS(i,t){if(YS(i)){let a=i[0].slice();for(let o=1;o<i.length;o++)a.push(...i[o].slice(1));return qS(a[0])||(a=XS(a)),a}let e=new Set;for(let a=0;a<i.length;a++){let l=i[a][0],c=l.length;for(let u=0;u<c;u++)e.add(l[u])}let n=[Array.from(e).sort((a,o)=>a-o)],s=n[0].length,r=new Map;for(let a=0;a<s;a++)r.set(n[0][a],a);for(let a=0;a<i.length;a++){let o=i[a],l=o[0];for(let c=1;c<o.length;c++){let u=o[c],h=Array(s).fill(void 0),f=t?t[a][c]:kS,p=[];for(let _=0;_<u.length;_++){let x=u[_],m=r.get(l[_]);x===null?f!=zS&&(h[m]=x,f==HS&&p.push(m)):h[m]=x}VS(h,p,s),n.push(h)}}return n}const WS=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function XS(i){let t=i[0],e=t.length,n=Array(e);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,a)=>t[r]-t[a]);let s=[];for(let r=0;r<i.length;r++){let a=i[r],o=Array(e);for(let l=0;l<e;l++)o[l]=a[n[l]];s.push(o)}return s}function YS(i){let t=i[0][0],e=t.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=e)return!1;if(s!=t){for(let r=0;r<e;r++)if(s[r]!=t[r])return!1}}return!0}function qS(i,t=100){const e=i.length;if(e<=1)return!0;let n=0,s=e-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;const r=wn(1,Hn((s-n+1)/t));for(let a=i[n],o=n+r;o<=s;o+=r){const l=i[o];if(l!=null){if(l<=a)return!1;a=l}}return!0}const rp=["January","February","March","April","May","June","July","August","September","October","November","December"],ap=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function op(i){return i.slice(0,3)}const $S=ap.map(op),KS=rp.map(op),jS={MMMM:rp,MMM:KS,WWWW:ap,WWW:$S};function Jr(i){return(i<10?"0":"")+i}function ZS(i){return(i<10?"00":i<100?"0":"")+i}const JS={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,t)=>t.MMMM[i.getMonth()],MMM:(i,t)=>t.MMM[i.getMonth()],MM:i=>Jr(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>Jr(i.getDate()),D:i=>i.getDate(),WWWW:(i,t)=>t.WWWW[i.getDay()],WWW:(i,t)=>t.WWW[i.getDay()],HH:i=>Jr(i.getHours()),H:i=>i.getHours(),h:i=>{let t=i.getHours();return t==0?12:t>12?t-12:t},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>Jr(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>Jr(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>ZS(i.getMilliseconds())};function Eu(i,t){t=t||jS;let e=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)e.push(s[0][0]=="{"?JS[s[1]]:s[0]);return r=>{let a="";for(let o=0;o<e.length;o++)a+=typeof e[o]=="string"?e[o]:e[o](r,t);return a}}const QS=new Intl.DateTimeFormat().resolvedOptions().timeZone;function ty(i,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):t==QS?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(i.getMilliseconds())),e}const lp=i=>i%1==0,Ao=[1,2,2.5,5],ey=va(10,-32,0,Ao),cp=va(10,0,32,Ao),ny=cp.filter(lp),Ss=ey.concat(cp),bu=`
`,up="{YYYY}",Of=bu+up,hp="{M}/{D}",ia=bu+hp,oo=ia+"/{YY}",fp="{aa}",iy="{h}:{mm}",hr=iy+fp,Bf=bu+hr,zf=":{ss}",Me=null;function dp(i){let t=i*1e3,e=t*60,n=e*60,s=n*24,r=s*30,a=s*365,l=(i==1?va(10,0,3,Ao).filter(lp):va(10,-3,0,Ao)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,a,a*2,a*5,a*10,a*25,a*50,a*100]);const c=[[a,up,Me,Me,Me,Me,Me,Me,1],[s*28,"{MMM}",Of,Me,Me,Me,Me,Me,1],[s,hp,Of,Me,Me,Me,Me,Me,1],[n,"{h}"+fp,oo,Me,ia,Me,Me,Me,1],[e,hr,oo,Me,ia,Me,Me,Me,1],[t,zf,oo+" "+hr,Me,ia+" "+hr,Me,Bf,Me,1],[i,zf+".{fff}",oo+" "+hr,Me,ia+" "+hr,Me,Bf,Me,1]];function u(h){return(f,p,_,x,m,d)=>{let T=[],w=m>=a,S=m>=r&&m<a,L=h(_),R=Pe(L*i,3),U=Bl(L.getFullYear(),w?0:L.getMonth(),S||w?1:L.getDate()),F=Pe(U*i,3);if(S||w){let b=S?m/r:0,E=w?m/a:0,C=R==F?R:Pe(Bl(U.getFullYear()+E,U.getMonth()+b,1)*i,3),z=new Date(je(C/i)),H=z.getFullYear(),Y=z.getMonth();for(let W=0;C<=x;W++){let $=Bl(H+E*W,Y+b*W,1),q=$-h(Pe($*i,3));C=Pe((+$+q)*i,3),C<=x&&T.push(C)}}else{let b=m>=s?s:m,E=Hn(_)-Hn(R),C=F+E+Io(R-F,b);T.push(C);let z=h(C),H=z.getHours()+z.getMinutes()/e+z.getSeconds()/n,Y=m/n,W=f.axes[p]._space,$=d/W;for(;C=Pe(C+m,i==1?0:3),!(C>x);)if(Y>1){let q=Hn(Pe(H+Y,6))%24,lt=h(C).getHours()-q;lt>1&&(lt=-1),C-=lt*n,H=(H+Y)%24;let vt=T[T.length-1];Pe((C-vt)/m,3)*$>=.7&&T.push(C)}else T.push(C)}return T}}return[l,c,u]}const[sy,ry,ay]=dp(1),[oy,ly,cy]=dp(.001);va(2,-53,53,[1]);function kf(i,t){return i.map(e=>e.map((n,s)=>s==0||s==8||n==null?n:t(s==1||e[8]==0?n:e[1]+n)))}function Hf(i,t){return(e,n,s,r,a)=>{let o=t.find(_=>a>=_[0])||t[t.length-1],l,c,u,h,f,p;return n.map(_=>{let x=i(_),m=x.getFullYear(),d=x.getMonth(),T=x.getDate(),w=x.getHours(),S=x.getMinutes(),L=x.getSeconds(),R=m!=l&&o[2]||d!=c&&o[3]||T!=u&&o[4]||w!=h&&o[5]||S!=f&&o[6]||L!=p&&o[7]||o[1];return l=m,c=d,u=T,h=w,f=S,p=L,R(x)})}}function uy(i,t){let e=Eu(t);return(n,s,r,a,o)=>s.map(l=>e(i(l)))}function Bl(i,t,e){return new Date(i,t,e)}function Vf(i,t){return t(i)}const hy="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Gf(i,t){return(e,n,s,r)=>r==null?_u:t(i(n))}function fy(i,t){let e=i.series[t];return e.width?e.stroke(i,t):e.points.width?e.points.stroke(i,t):null}function dy(i,t){return i.series[t].fill(i,t)}const py={show:!0,live:!0,isolate:!1,mount:US,markers:{show:!0,width:2,stroke:fy,fill:dy,dash:"solid"},idx:null,idxs:null,values:[]};function my(i,t){let e=i.cursor.points,n=$n(),s=e.size(i,t);ze(n,ea,s),ze(n,na,s);let r=s/-2;ze(n,"marginLeft",r),ze(n,"marginTop",r);let a=e.width(i,t,s);return a&&ze(n,"borderWidth",a),n}function gy(i,t){let e=i.series[t].points;return e._fill||e._stroke}function _y(i,t){let e=i.series[t].points;return e._stroke||e._fill}function vy(i,t){return i.series[t].points.size}const zl=[0,0];function xy(i,t,e){return zl[0]=t,zl[1]=e,zl}function lo(i,t,e,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&e(s)}}function kl(i,t,e,n=!0){return s=>{(!n||s.target==t)&&e(s)}}const My={show:!0,x:!0,y:!0,lock:!1,move:xy,points:{one:!1,show:my,size:vy,width:0,stroke:_y,fill:gy},bind:{mousedown:lo,mouseup:lo,click:lo,dblclick:lo,mousemove:kl,mouseleave:kl,mouseenter:kl},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,t,e,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},pp={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Tu=qe({},pp,{filter:tp}),mp=qe({},Tu,{size:10}),gp=qe({},pp,{show:!1}),wu='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',_p="bold "+wu,vp=1.5,Wf={show:!0,scale:"x",stroke:gu,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:_p,side:2,grid:Tu,ticks:mp,border:gp,font:wu,lineGap:vp,rotate:0},Sy="Value",yy="Time",Xf={show:!0,scale:"x",auto:!1,sorted:1,min:Ce,max:-Ce,idxs:[]};function Ey(i,t,e,n,s){return t.map(r=>r==null?"":Su(r))}function by(i,t,e,n,s,r,a){let o=[],l=as.get(s)||0;e=a?e:Pe(Io(e,s),l);for(let c=e;c<=n;c=Pe(c+s,l))o.push(Object.is(c,-0)?0:c);return o}function zc(i,t,e,n,s,r,a){const o=[],l=i.scales[i.axes[t].scale].log,c=l==10?Ni:Zd,u=Hn(c(e));s=yr(l,u),l==10&&(s=Ss[ri(s,Ss)]);let h=e,f=s*l;l==10&&(f=Ss[ri(f,Ss)]);do o.push(h),h=h+s,l==10&&!as.has(h)&&(h=Pe(h,as.get(s))),h>=f&&(s=h,f=s*l,l==10&&(f=Ss[ri(f,Ss)]));while(h<=n);return o}function Ty(i,t,e,n,s,r,a){let l=i.scales[i.axes[t].scale].asinh,c=n>l?zc(i,t,wn(l,e),n,s):[l],u=n>=0&&e<=0?[0]:[];return(e<-l?zc(i,t,wn(l,-n),-e,s):[l]).reverse().map(f=>-f).concat(u,c)}const xp=/./,wy=/[12357]/,Ay=/[125]/,Yf=/1/,kc=(i,t,e,n)=>i.map((s,r)=>t==4&&s==0||r%n==0&&e.test(s.toExponential()[s<0?1:0])?s:null);function Ry(i,t,e,n,s){let r=i.axes[e],a=r.scale,o=i.scales[a],l=i.valToPos,c=r._space,u=l(10,a),h=l(9,a)-u>=c?xp:l(7,a)-u>=c?wy:l(5,a)-u>=c?Ay:Yf;if(h==Yf){let f=Ze(l(1,a)-u);if(f<c)return kc(t.slice().reverse(),o.distr,h,jn(c/f)).reverse()}return kc(t,o.distr,h,1)}function Cy(i,t,e,n,s){let r=i.axes[e],a=r.scale,o=r._space,l=i.valToPos,c=Ze(l(1,a)-l(2,a));return c<o?kc(t.slice().reverse(),3,xp,jn(o/c)).reverse():t}function Py(i,t,e,n){return n==null?_u:t==null?"":Su(t)}const qf={show:!0,scale:"y",stroke:gu,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:_p,side:3,grid:Tu,ticks:mp,border:gp,font:wu,lineGap:vp,rotate:0};function Dy(i,t){let e=3+(i||1)*2;return Pe(e*t,3)}function Ly(i,t){let{scale:e,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],e,!0),a=i.valToPos(s[n[1]],e,!0),o=Ze(a-r),l=i.series[t],c=o/(l.points.space*xe);return n[1]-n[0]<=c}const $f={scale:null,auto:!0,sorted:0,min:Ce,max:-Ce},Mp=(i,t,e,n,s)=>s,Kf={show:!0,auto:!0,sorted:0,gaps:Mp,alpha:1,facets:[qe({},$f,{scale:"x"}),qe({},$f,{scale:"y"})]},jf={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Mp,alpha:1,points:{show:Ly,filter:null},values:null,min:Ce,max:-Ce,idxs:[],path:null,clip:null};function Uy(i,t,e,n,s){return e/10}const Sp={time:sS,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Iy=qe({},Sp,{time:!1,ori:1}),Zf={};function yp(i,t){let e=Zf[i];return e||(e={key:i,plots:[],sub(n){e.plots.push(n)},unsub(n){e.plots=e.plots.filter(s=>s!=n)},pub(n,s,r,a,o,l,c){for(let u=0;u<e.plots.length;u++)e.plots[u]!=s&&e.plots[u].pub(n,s,r,a,o,l,c)}},i!=null&&(Zf[i]=e)),e}const Tr=1,Hc=2;function Is(i,t,e){const n=i.mode,s=i.series[t],r=n==2?i._data[t]:i._data,a=i.scales,o=i.bbox;let l=r[0],c=n==2?r[1]:r[t],u=n==2?a[s.facets[0].scale]:a[i.series[0].scale],h=n==2?a[s.facets[1].scale]:a[s.scale],f=o.left,p=o.top,_=o.width,x=o.height,m=i.valToPosH,d=i.valToPosV;return u.ori==0?e(s,l,c,u,h,m,d,f,p,_,x,Oo,Dr,zo,bp,wp):e(s,l,c,u,h,d,m,p,f,x,_,Bo,Lr,Cu,Tp,Ap)}function Au(i,t){let e=0,n=0,s=ge(i.bands,yu);for(let r=0;r<s.length;r++){let a=s[r];a.series[0]==t?e=a.dir:a.series[1]==t&&(a.dir==1?n|=1:n|=2)}return[e,n==1?-1:n==2?1:n==3?2:0]}function Ny(i,t,e,n,s){let r=i.mode,a=i.series[t],o=r==2?a.facets[1].scale:a.scale,l=i.scales[o];return s==-1?l.min:s==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function Fi(i,t,e,n,s,r){return Is(i,t,(a,o,l,c,u,h,f,p,_,x,m)=>{let d=a.pxRound;const T=c.dir*(c.ori==0?1:-1),w=c.ori==0?Dr:Lr;let S,L;T==1?(S=e,L=n):(S=n,L=e);let R=d(h(o[S],c,x,p)),U=d(f(l[S],u,m,_)),F=d(h(o[L],c,x,p)),b=d(f(r==1?u.max:u.min,u,m,_)),E=new Path2D(s);return w(E,F,b),w(E,R,b),w(E,R,U),E})}function Fo(i,t,e,n,s,r){let a=null;if(i.length>0){a=new Path2D;const o=t==0?zo:Cu;let l=e;for(let h=0;h<i.length;h++){let f=i[h];if(f[1]>f[0]){let p=f[0]-l;p>0&&o(a,l,n,p,n+r),l=f[1]}}let c=e+s-l,u=10;c>0&&o(a,l,n-u/2,c,n+r+u)}return a}function Fy(i,t,e){let n=i[i.length-1];n&&n[0]==t?n[1]=e:i.push([t,e])}function Ru(i,t,e,n,s,r,a){let o=[],l=i.length;for(let c=s==1?e:n;c>=e&&c<=n;c+=s)if(t[c]===null){let h=c,f=c;if(s==1)for(;++c<=n&&t[c]===null;)f=c;else for(;--c>=e&&t[c]===null;)f=c;let p=r(i[h]),_=f==h?p:r(i[f]),x=h-s;p=a<=0&&x>=0&&x<l?r(i[x]):p;let d=f+s;_=a>=0&&d>=0&&d<l?r(i[d]):_,_>=p&&o.push([p,_])}return o}function Jf(i){return i==0?Qd:i==1?je:t=>Ms(t,i)}function Ep(i){let t=i==0?Oo:Bo,e=i==0?(s,r,a,o,l,c)=>{s.arcTo(r,a,o,l,c)}:(s,r,a,o,l,c)=>{s.arcTo(a,r,l,o,c)},n=i==0?(s,r,a,o,l)=>{s.rect(r,a,o,l)}:(s,r,a,o,l)=>{s.rect(a,r,l,o)};return(s,r,a,o,l,c=0,u=0)=>{c==0&&u==0?n(s,r,a,o,l):(c=oi(c,o/2,l/2),u=oi(u,o/2,l/2),t(s,r+c,a),e(s,r+o,a,r+o,a+l,c),e(s,r+o,a+l,r,a+l,u),e(s,r,a+l,r,a,u),e(s,r,a,r+o,a,c),s.closePath())}}const Oo=(i,t,e)=>{i.moveTo(t,e)},Bo=(i,t,e)=>{i.moveTo(e,t)},Dr=(i,t,e)=>{i.lineTo(t,e)},Lr=(i,t,e)=>{i.lineTo(e,t)},zo=Ep(0),Cu=Ep(1),bp=(i,t,e,n,s,r)=>{i.arc(t,e,n,s,r)},Tp=(i,t,e,n,s,r)=>{i.arc(e,t,n,s,r)},wp=(i,t,e,n,s,r,a)=>{i.bezierCurveTo(t,e,n,s,r,a)},Ap=(i,t,e,n,s,r,a)=>{i.bezierCurveTo(e,t,s,n,a,r)};function Rp(i){return(t,e,n,s,r)=>Is(t,e,(a,o,l,c,u,h,f,p,_,x,m)=>{let{pxRound:d,points:T}=a,w,S;c.ori==0?(w=Oo,S=bp):(w=Bo,S=Tp);const L=Pe(T.width*xe,3);let R=(T.size-T.width)/2*xe,U=Pe(R*2,3),F=new Path2D,b=new Path2D,{left:E,top:C,width:z,height:H}=t.bbox;zo(b,E-U,C-U,z+U*2,H+U*2);const Y=W=>{if(l[W]!=null){let $=d(h(o[W],c,x,p)),q=d(f(l[W],u,m,_));w(F,$+R,q),S(F,$,q,R,0,_o*2)}};if(r)r.forEach(Y);else for(let W=n;W<=s;W++)Y(W);return{stroke:L>0?F:null,fill:F,clip:b,flags:Tr|Hc}})}function Cp(i){return(t,e,n,s,r,a)=>{n!=s&&(r!=n&&a!=n&&i(t,e,n),r!=s&&a!=s&&i(t,e,s),i(t,e,a))}}const Oy=Cp(Dr),By=Cp(Lr);function Pp(i){const t=ge(i?.alignGaps,0);return(e,n,s,r)=>Is(e,n,(a,o,l,c,u,h,f,p,_,x,m)=>{[s,r]=Lo(l,s,r);let d=a.pxRound,T=H=>d(h(H,c,x,p)),w=H=>d(f(H,u,m,_)),S,L;c.ori==0?(S=Dr,L=Oy):(S=Lr,L=By);const R=c.dir*(c.ori==0?1:-1),U={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Tr},F=U.stroke;let b=!1;if(r-s>=x*4){let H=_t=>e.posToVal(_t,c.key,!0),Y=null,W=null,$,q,J,ot=T(o[R==1?s:r]),lt=T(o[s]),vt=T(o[r]),St=H(R==1?lt+1:vt-1);for(let _t=R==1?s:r;_t>=s&&_t<=r;_t+=R){let te=o[_t],Q=(R==1?te<St:te>St)?ot:T(te),nt=l[_t];Q==ot?nt!=null?(q=nt,Y==null?(S(F,Q,w(q)),$=Y=W=q):q<Y?Y=q:q>W&&(W=q)):nt===null&&(b=!0):(Y!=null&&L(F,ot,w(Y),w(W),w($),w(q)),nt!=null?(q=nt,S(F,Q,w(q)),Y=W=$=q):(Y=W=null,nt===null&&(b=!0)),ot=Q,St=H(ot+R))}Y!=null&&Y!=W&&J!=ot&&L(F,ot,w(Y),w(W),w($),w(q))}else for(let H=R==1?s:r;H>=s&&H<=r;H+=R){let Y=l[H];Y===null?b=!0:Y!=null&&S(F,T(o[H]),w(Y))}let[C,z]=Au(e,n);if(a.fill!=null||C!=0){let H=U.fill=new Path2D(F),Y=a.fillTo(e,n,a.min,a.max,C),W=w(Y),$=T(o[s]),q=T(o[r]);R==-1&&([q,$]=[$,q]),S(H,q,W),S(H,$,W)}if(!a.spanGaps){let H=[];b&&H.push(...Ru(o,l,s,r,R,T,t)),U.gaps=H=a.gaps(e,n,s,r,H),U.clip=Fo(H,c.ori,p,_,x,m)}return z!=0&&(U.band=z==2?[Fi(e,n,s,r,F,-1),Fi(e,n,s,r,F,1)]:Fi(e,n,s,r,F,z)),U})}function zy(i){const t=ge(i.align,1),e=ge(i.ascDesc,!1),n=ge(i.alignGaps,0),s=ge(i.extend,!1);return(r,a,o,l)=>Is(r,a,(c,u,h,f,p,_,x,m,d,T,w)=>{[o,l]=Lo(h,o,l);let S=c.pxRound,{left:L,width:R}=r.bbox,U=lt=>S(_(lt,f,T,m)),F=lt=>S(x(lt,p,w,d)),b=f.ori==0?Dr:Lr;const E={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Tr},C=E.stroke,z=f.dir*(f.ori==0?1:-1);let H=F(h[z==1?o:l]),Y=U(u[z==1?o:l]),W=Y,$=Y;s&&t==-1&&($=L,b(C,$,H)),b(C,Y,H);for(let lt=z==1?o:l;lt>=o&&lt<=l;lt+=z){let vt=h[lt];if(vt==null)continue;let St=U(u[lt]),_t=F(vt);t==1?b(C,St,H):b(C,W,_t),b(C,St,_t),H=_t,W=St}let q=W;s&&t==1&&(q=L+R,b(C,q,H));let[J,ot]=Au(r,a);if(c.fill!=null||J!=0){let lt=E.fill=new Path2D(C),vt=c.fillTo(r,a,c.min,c.max,J),St=F(vt);b(lt,q,St),b(lt,$,St)}if(!c.spanGaps){let lt=[];lt.push(...Ru(u,h,o,l,z,U,n));let vt=c.width*xe/2,St=e||t==1?vt:-vt,_t=e||t==-1?-vt:vt;lt.forEach(te=>{te[0]+=St,te[1]+=_t}),E.gaps=lt=c.gaps(r,a,o,l,lt),E.clip=Fo(lt,f.ori,m,d,T,w)}return ot!=0&&(E.band=ot==2?[Fi(r,a,o,l,C,-1),Fi(r,a,o,l,C,1)]:Fi(r,a,o,l,C,ot)),E})}function Qf(i,t,e,n,s,r,a=Ce){if(i.length>1){let o=null;for(let l=0,c=1/0;l<i.length;l++)if(t[l]!==void 0){if(o!=null){let u=Ze(i[l]-i[o]);u<c&&(c=u,a=Ze(e(i[l],n,s,r)-e(i[o],n,s,r)))}o=l}}return a}function ky(i){i=i||oa;const t=ge(i.size,[.6,Ce,1]),e=i.align||0,n=i.gap||0;let s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;const r=ce(s),a=1-t[0],o=ge(t[1],Ce),l=ge(t[2],1),c=ge(i.disp,oa),u=ge(i.each,p=>{}),{fill:h,stroke:f}=c;return(p,_,x,m)=>Is(p,_,(d,T,w,S,L,R,U,F,b,E,C)=>{let z=d.pxRound,H=e,Y=n*xe,W=o*xe,$=l*xe,q,J;S.ori==0?[q,J]=r(p,_):[J,q]=r(p,_);const ot=S.dir*(S.ori==0?1:-1);let lt=S.ori==0?zo:Cu,vt=S.ori==0?u:(N,j,it,et,Nt,ht,Dt)=>{u(N,j,it,Nt,et,Dt,ht)},St=ge(p.bands,yu).find(N=>N.series[0]==_),_t=St!=null?St.dir:0,te=d.fillTo(p,_,d.min,d.max,_t),jt=z(U(te,L,C,b)),Q,nt,bt,zt=E,xt=z(d.width*xe),Zt=!1,De=null,I=null,he=null,qt=null;h!=null&&(xt==0||f!=null)&&(Zt=!0,De=h.values(p,_,x,m),I=new Map,new Set(De).forEach(N=>{N!=null&&I.set(N,new Path2D)}),xt>0&&(he=f.values(p,_,x,m),qt=new Map,new Set(he).forEach(N=>{N!=null&&qt.set(N,new Path2D)})));let{x0:Gt,size:It}=c;if(Gt!=null&&It!=null){H=1,T=Gt.values(p,_,x,m),Gt.unit==2&&(T=T.map(it=>p.posToVal(F+it*E,S.key,!0)));let N=It.values(p,_,x,m);It.unit==2?nt=N[0]*E:nt=R(N[0],S,E,F)-R(0,S,E,F),zt=Qf(T,w,R,S,E,F,zt),bt=zt-nt+Y}else zt=Qf(T,w,R,S,E,F,zt),bt=zt*a+Y,nt=zt-bt;bt<1&&(bt=0),xt>=nt/2&&(xt=0),bt<5&&(z=Qd);let Se=bt>0,Ct=zt-bt-(Se?xt:0);nt=z(Bc(Ct,$,W)),Q=(H==0?nt/2:H==ot?0:nt)-H*ot*((H==0?Y/2:0)+(Se?xt/2:0));const Vt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Ne=Zt?null:new Path2D;let _e=null;if(St!=null)_e=p.data[St.series[1]];else{let{y0:N,y1:j}=c;N!=null&&j!=null&&(w=j.values(p,_,x,m),_e=N.values(p,_,x,m))}let P=q*nt,v=J*nt;for(let N=ot==1?x:m;N>=x&&N<=m;N+=ot){let j=w[N];if(j==null)continue;if(_e!=null){let gt=_e[N]??0;if(j-gt==0)continue;jt=U(gt,L,C,b)}let it=S.distr!=2||c!=null?T[N]:N,et=R(it,S,E,F),Nt=U(ge(j,te),L,C,b),ht=z(et-Q),Dt=z(wn(Nt,jt)),At=z(oi(Nt,jt)),at=Dt-At;if(j!=null){let gt=j<0?v:P,Bt=j<0?P:v;Zt?(xt>0&&he[N]!=null&&lt(qt.get(he[N]),ht,At+Hn(xt/2),nt,wn(0,at-xt),gt,Bt),De[N]!=null&&lt(I.get(De[N]),ht,At+Hn(xt/2),nt,wn(0,at-xt),gt,Bt)):lt(Ne,ht,At+Hn(xt/2),nt,wn(0,at-xt),gt,Bt),vt(p,_,N,ht-xt/2,At,nt+xt,at)}}return xt>0?Vt.stroke=Zt?qt:Ne:Zt||(Vt._fill=d.width==0?d._fill:d._stroke??d._fill,Vt.width=0),Vt.fill=Zt?I:Ne,Vt})}function Hy(i,t){const e=ge(t?.alignGaps,0);return(n,s,r,a)=>Is(n,s,(o,l,c,u,h,f,p,_,x,m,d)=>{[r,a]=Lo(c,r,a);let T=o.pxRound,w=q=>T(f(q,u,m,_)),S=q=>T(p(q,h,d,x)),L,R,U;u.ori==0?(L=Oo,U=Dr,R=wp):(L=Bo,U=Lr,R=Ap);const F=u.dir*(u.ori==0?1:-1);let b=w(l[F==1?r:a]),E=b,C=[],z=[];for(let q=F==1?r:a;q>=r&&q<=a;q+=F)if(c[q]!=null){let ot=l[q],lt=w(ot);C.push(E=lt),z.push(S(c[q]))}const H={stroke:i(C,z,L,U,R,T),fill:null,clip:null,band:null,gaps:null,flags:Tr},Y=H.stroke;let[W,$]=Au(n,s);if(o.fill!=null||W!=0){let q=H.fill=new Path2D(Y),J=o.fillTo(n,s,o.min,o.max,W),ot=S(J);U(q,E,ot),U(q,b,ot)}if(!o.spanGaps){let q=[];q.push(...Ru(l,c,r,a,F,w,e)),H.gaps=q=o.gaps(n,s,r,a,q),H.clip=Fo(q,u.ori,_,x,m,d)}return $!=0&&(H.band=$==2?[Fi(n,s,r,a,Y,-1),Fi(n,s,r,a,Y,1)]:Fi(n,s,r,a,Y,$)),H})}function Vy(i){return Hy(Gy,i)}function Gy(i,t,e,n,s,r){const a=i.length;if(a<2)return null;const o=new Path2D;if(e(o,i[0],t[0]),a==2)n(o,i[1],t[1]);else{let l=Array(a),c=Array(a-1),u=Array(a-1),h=Array(a-1);for(let f=0;f<a-1;f++)u[f]=t[f+1]-t[f],h[f]=i[f+1]-i[f],c[f]=u[f]/h[f];l[0]=c[0];for(let f=1;f<a-1;f++)c[f]===0||c[f-1]===0||c[f-1]>0!=c[f]>0?l[f]=0:(l[f]=3*(h[f-1]+h[f])/((2*h[f]+h[f-1])/c[f-1]+(h[f]+2*h[f-1])/c[f]),isFinite(l[f])||(l[f]=0));l[a-1]=c[a-2];for(let f=0;f<a-1;f++)s(o,i[f]+h[f]/3,t[f]+l[f]*h[f]/3,i[f+1]-h[f]/3,t[f+1]-l[f+1]*h[f]/3,i[f+1],t[f+1])}return o}const Vc=new Set;function td(){for(let i of Vc)i.syncRect(!0)}Pr&&(As(ES,_r,td),As(bS,_r,td,!0),As(To,_r,()=>{_n.pxRatio=xe}));const Wy=Pp(),Xy=Rp();function ed(i,t,e,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,a)=>Gc(r,a,t,e))}function Yy(i,t){return i.map((e,n)=>n==0?{}:qe({},t,e))}function Gc(i,t,e,n){return qe({},t==0?e:n,i)}function Dp(i,t,e){return t==null?Er:[t,e]}const qy=Dp;function $y(i,t,e){return t==null?Er:wo(t,e,Mu,!0)}function Lp(i,t,e,n){return t==null?Er:Uo(t,e,i.scales[n].log,!1)}const Ky=Lp;function Up(i,t,e,n){return t==null?Er:xu(t,e,i.scales[n].log,!1)}const jy=Up;function Zy(i,t,e,n,s){let r=wn(Uf(i),Uf(t)),a=t-i,o=ri(s/n*a,e);do{let l=e[o],c=n*l/a;if(c>=s&&r+(l<5?as.get(l):0)<=17)return[l,c]}while(++o<e.length);return[0,0]}function nd(i){let t,e;return i=i.replace(/(\d+)px/,(n,s)=>(t=je((e=+s)*xe))+"px"),[i,t,e]}function Jy(i){i.show&&[i.font,i.labelFont].forEach(t=>{let e=Pe(t[2]*xe,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function _n(i,t,e){const n={mode:ge(i.mode,1)},s=n.mode;function r(g,M,A,D){let B=M.valToPct(g);return D+A*(M.dir==-1?1-B:B)}function a(g,M,A,D){let B=M.valToPct(g);return D+A*(M.dir==-1?B:1-B)}function o(g,M,A,D){return M.ori==0?r(g,M,A,D):a(g,M,A,D)}n.valToPosH=r,n.valToPosV=a;let l=!1;n.status=0;const c=n.root=$n(rS);if(i.id!=null&&(c.id=i.id),On(c,i.class),i.title){let g=$n(lS,c);g.textContent=i.title}const u=si("canvas"),h=n.ctx=u.getContext("2d"),f=$n(cS,c);As("click",f,g=>{g.target===_&&(Fe!=zs||ke!=ks)&&fn.click(n,g)},!0);const p=n.under=$n(uS,f);f.appendChild(u);const _=n.over=$n(hS,f);i=br(i);const x=+ge(i.pxAlign,1),m=Jf(x);(i.plugins||[]).forEach(g=>{g.opts&&(i=g.opts(n,i)||i)});const d=i.ms||.001,T=n.series=s==1?ed(i.series||[],Xf,jf,!1):Yy(i.series||[null],Kf),w=n.axes=ed(i.axes||[],Wf,qf,!0),S=n.scales={},L=n.bands=i.bands||[];L.forEach(g=>{g.fill=ce(g.fill||null),g.dir=ge(g.dir,-1)});const R=s==2?T[1].facets[0].scale:T[0].scale,U={axes:Op,series:cs},F=(i.drawOrder||["axes","series"]).map(g=>U[g]);function b(g){const M=g.distr==3?A=>Ni(A>0?A:g.clamp(n,A,g.min,g.max,g.key)):g.distr==4?A=>Ol(A,g.asinh):g.distr==100?A=>g.fwd(A):A=>A;return A=>{let D=M(A),{_min:B,_max:X}=g,st=X-B;return(D-B)/st}}function E(g){let M=S[g];if(M==null){let A=(i.scales||oa)[g]||oa;if(A.from!=null){E(A.from);let D=qe({},S[A.from],A,{key:g});D.valToPct=b(D),S[g]=D}else{M=S[g]=qe({},g==R?Sp:Iy,A),M.key=g;let D=M.time,B=M.range,X=Qi(B);if((g!=R||s==2&&!D)&&(X&&(B[0]==null||B[1]==null)&&(B={min:B[0]==null?Pf:{mode:1,hard:B[0],soft:B[0]},max:B[1]==null?Pf:{mode:1,hard:B[1],soft:B[1]}},X=!1),!X&&No(B))){let st=B;B=(ct,mt,wt)=>mt==null?Er:wo(mt,wt,st)}M.range=ce(B||(D?qy:g==R?M.distr==3?Ky:M.distr==4?jy:Dp:M.distr==3?Lp:M.distr==4?Up:$y)),M.auto=ce(X?!1:M.auto),M.clamp=ce(M.clamp||Uy),M._min=M._max=null,M.valToPct=b(M)}}}E("x"),E("y"),s==1&&T.forEach(g=>{E(g.scale)}),w.forEach(g=>{E(g.scale)});for(let g in i.scales)E(g);const C=S[R],z=C.distr;let H,Y;C.ori==0?(On(c,aS),H=r,Y=a):(On(c,oS),H=a,Y=r);const W={};for(let g in S){let M=S[g];(M.min!=null||M.max!=null)&&(W[g]={min:M.min,max:M.max},M.min=M.max=null)}const $=i.tzDate||(g=>new Date(je(g/d))),q=i.fmtDate||Eu,J=d==1?ay($):cy($),ot=Hf($,kf(d==1?ry:ly,q)),lt=Gf($,Vf(hy,q)),vt=[],St=n.legend=qe({},py,i.legend),_t=n.cursor=qe({},My,{drag:{y:s==2}},i.cursor),te=St.show,jt=_t.show,Q=St.markers;St.idxs=vt,Q.width=ce(Q.width),Q.dash=ce(Q.dash),Q.stroke=ce(Q.stroke),Q.fill=ce(Q.fill);let nt,bt,zt,xt=[],Zt=[],De,I=!1,he={};if(St.live){const g=T[1]?T[1].values:null;I=g!=null,De=I?g(n,1,0):{_:0};for(let M in De)he[M]=_u}if(te)if(nt=si("table",_S,c),zt=si("tbody",null,nt),St.mount(n,nt),I){bt=si("thead",null,nt,zt);let g=si("tr",null,bt);si("th",null,g);for(var qt in De)si("th",_f,g).textContent=qt}else On(nt,xS),St.live&&On(nt,vS);const Gt={show:!0},It={show:!1};function Se(g,M){if(M==0&&(I||!St.live||s==2))return Er;let A=[],D=si("tr",MS,zt,zt.childNodes[M]);On(D,g.class),g.show||On(D,Ts);let B=si("th",null,D);if(Q.show){let ct=$n(SS,B);if(M>0){let mt=Q.width(n,M);mt&&(ct.style.border=mt+"px "+Q.dash(n,M)+" "+Q.stroke(n,M)),ct.style.background=Q.fill(n,M)}}let X=$n(_f,B);g.label instanceof HTMLElement?X.appendChild(g.label):X.textContent=g.label,M>0&&(Q.show||(X.style.color=g.width>0?Q.stroke(n,M):Q.fill(n,M)),Vt("click",B,ct=>{if(_t._lock)return;hn(ct);let mt=T.indexOf(g);if((ct.ctrlKey||ct.metaKey)!=St.isolate){let wt=T.some((Rt,Ut)=>Ut>0&&Ut!=mt&&Rt.show);T.forEach((Rt,Ut)=>{Ut>0&&fi(Ut,wt?Ut==mt?Gt:It:Gt,!0,Xe.setSeries)})}else fi(mt,{show:!g.show},!0,Xe.setSeries)},!1),Rn&&Vt(Sf,B,ct=>{_t._lock||(hn(ct),fi(T.indexOf(g),Vs,!0,Xe.setSeries))},!1));for(var st in De){let ct=si("td",yS,D);ct.textContent="--",A.push(ct)}return[D,A]}const Ct=new Map;function Vt(g,M,A,D=!0){const B=Ct.get(M)||{},X=_t.bind[g](n,M,A,D);X&&(As(g,M,B[g]=X),Ct.set(M,B))}function Ne(g,M,A){const D=Ct.get(M)||{};for(let B in D)(g==null||B==g)&&(Oc(B,M,D[B]),delete D[B]);g==null&&Ct.delete(M)}let _e=0,P=0,v=0,N=0,j=0,it=0,et=j,Nt=it,ht=v,Dt=N,At=0,at=0,gt=0,Bt=0;n.bbox={};let Ot=!1,Mt=!1,Kt=!1,O=!1,ft=!1,pt=!1;function Pt(g,M,A){(A||g!=n.width||M!=n.height)&&ut(g,M),Ns(!1),Kt=!0,Mt=!0,Fs()}function ut(g,M){n.width=_e=v=g,n.height=P=N=M,j=it=0,be(),de();let A=n.bbox;At=A.left=Ms(j*xe,.5),at=A.top=Ms(it*xe,.5),gt=A.width=Ms(v*xe,.5),Bt=A.height=Ms(N*xe,.5)}const rt=3;function Ft(){let g=!1,M=0;for(;!g;){M++;let A=Np(M),D=Fp(M);g=M==rt||A&&D,g||(ut(n.width,n.height),Mt=!0)}}function Jt({width:g,height:M}){Pt(g,M)}n.setSize=Jt;function be(){let g=!1,M=!1,A=!1,D=!1;w.forEach((B,X)=>{if(B.show&&B._show){let{side:st,_size:ct}=B,mt=st%2,wt=B.label!=null?B.labelSize:0,Rt=ct+wt;Rt>0&&(mt?(v-=Rt,st==3?(j+=Rt,D=!0):A=!0):(N-=Rt,st==0?(it+=Rt,g=!0):M=!0))}}),Ti[0]=g,Ti[1]=A,Ti[2]=M,Ti[3]=D,v-=hi[1]+hi[3],j+=hi[3],N-=hi[2]+hi[0],it+=hi[0]}function de(){let g=j+v,M=it+N,A=j,D=it;function B(X,st){switch(X){case 1:return g+=st,g-st;case 2:return M+=st,M-st;case 3:return A-=st,A+st;case 0:return D-=st,D+st}}w.forEach((X,st)=>{if(X.show&&X._show){let ct=X.side;X._pos=B(ct,X._size),X.label!=null&&(X._lpos=B(ct,X.labelSize))}})}if(_t.dataIdx==null){let g=_t.hover,M=g.skip=new Set(g.skip??[]);M.add(void 0);let A=g.prox=ce(g.prox),D=g.bias??=0;_t.dataIdx=(B,X,st,ct)=>{if(X==0)return st;let mt=st,wt=A(B,X,st,ct)??Ce,Rt=wt>=0&&wt<Ce,Ut=C.ori==0?v:N,Qt=_t.left,ve=t[0],me=t[X];if(M.has(me[st])){mt=null;let oe=null,$t=null,Ht;if(D==0||D==-1)for(Ht=st;oe==null&&Ht-- >0;)M.has(me[Ht])||(oe=Ht);if(D==0||D==1)for(Ht=st;$t==null&&Ht++<me.length;)M.has(me[Ht])||($t=Ht);if(oe!=null||$t!=null)if(Rt){let Be=oe==null?-1/0:H(ve[oe],C,Ut,0),He=$t==null?1/0:H(ve[$t],C,Ut,0),ln=Qt-Be,Te=He-Qt;ln<=Te?ln<=wt&&(mt=oe):Te<=wt&&(mt=$t)}else mt=$t==null?oe:oe==null?$t:st-oe<=$t-st?oe:$t}else Rt&&Ze(Qt-H(ve[st],C,Ut,0))>wt&&(mt=null);return mt}}const hn=g=>{_t.event=g};_t.idxs=vt,_t._lock=!1;let Re=_t.points;Re.show=ce(Re.show),Re.size=ce(Re.size),Re.stroke=ce(Re.stroke),Re.width=ce(Re.width),Re.fill=ce(Re.fill);const Dn=n.focus=qe({},i.focus||{alpha:.3},_t.focus),Rn=Dn.prox>=0,ui=Rn&&Re.one;let vn=[],bi=[],Jn=[];function Ur(g,M){let A=Re.show(n,M);if(A instanceof HTMLElement)return On(A,gS),On(A,g.class),gi(A,-10,-10,v,N),_.insertBefore(A,vn[M]),A}function os(g,M){if(s==1||M>0){let A=s==1&&S[g.scale].time,D=g.value;g.value=A?Ff(D)?Gf($,Vf(D,q)):D||lt:D||Py,g.label=g.label||(A?yy:Sy)}if(ui||M>0){g.width=g.width==null?1:g.width,g.paths=g.paths||Wy||IS,g.fillTo=ce(g.fillTo||Ny),g.pxAlign=+ge(g.pxAlign,x),g.pxRound=Jf(g.pxAlign),g.stroke=ce(g.stroke||null),g.fill=ce(g.fill||null),g._stroke=g._fill=g._paths=g._focus=null;let A=Dy(wn(1,g.width),1),D=g.points=qe({},{size:A,width:wn(1,A*.2),stroke:g.stroke,space:A*2,paths:Xy,_stroke:null,_fill:null},g.points);D.show=ce(D.show),D.filter=ce(D.filter),D.fill=ce(D.fill),D.stroke=ce(D.stroke),D.paths=ce(D.paths),D.pxAlign=g.pxAlign}if(te){let A=Se(g,M);xt.splice(M,0,A[0]),Zt.splice(M,0,A[1]),St.values.push(null)}if(jt){vt.splice(M,0,null);let A=null;ui?M==0&&(A=Ur(g,M)):M>0&&(A=Ur(g,M)),vn.splice(M,0,A),bi.splice(M,0,0),Jn.splice(M,0,0)}on("addSeries",M)}function Sa(g,M){M=M??T.length,g=s==1?Gc(g,M,Xf,jf):Gc(g,M,{},Kf),T.splice(M,0,g),os(T[M],M)}n.addSeries=Sa;function ya(g){if(T.splice(g,1),te){St.values.splice(g,1),Zt.splice(g,1);let M=xt.splice(g,1)[0];Ne(null,M.firstChild),M.remove()}jt&&(vt.splice(g,1),vn.splice(g,1)[0].remove(),bi.splice(g,1),Jn.splice(g,1)),on("delSeries",g)}n.delSeries=ya;const Ti=[!1,!1,!1,!1];function ko(g,M){if(g._show=g.show,g.show){let A=g.side%2,D=S[g.scale];D==null&&(g.scale=A?T[1].scale:R,D=S[g.scale]);let B=D.time;g.size=ce(g.size),g.space=ce(g.space),g.rotate=ce(g.rotate),Qi(g.incrs)&&g.incrs.forEach(st=>{!as.has(st)&&as.set(st,np(st))}),g.incrs=ce(g.incrs||(D.distr==2?ny:B?d==1?sy:oy:Ss)),g.splits=ce(g.splits||(B&&D.distr==1?J:D.distr==3?zc:D.distr==4?Ty:by)),g.stroke=ce(g.stroke),g.grid.stroke=ce(g.grid.stroke),g.ticks.stroke=ce(g.ticks.stroke),g.border.stroke=ce(g.border.stroke);let X=g.values;g.values=Qi(X)&&!Qi(X[0])?ce(X):B?Qi(X)?Hf($,kf(X,q)):Ff(X)?uy($,X):X||ot:X||Ey,g.filter=ce(g.filter||(D.distr>=3&&D.log==10?Ry:D.distr==3&&D.log==2?Cy:tp)),g.font=nd(g.font),g.labelFont=nd(g.labelFont),g._size=g.size(n,null,M,0),g._space=g._rotate=g._incrs=g._found=g._splits=g._values=null,g._size>0&&(Ti[M]=!0,g._el=$n(fS,f))}}function ls(g,M,A,D){let[B,X,st,ct]=A,mt=M%2,wt=0;return mt==0&&(ct||X)&&(wt=M==0&&!B||M==2&&!st?je(Wf.size/3):0),mt==1&&(B||st)&&(wt=M==1&&!X||M==3&&!ct?je(qf.size/2):0),wt}const Ea=n.padding=(i.padding||[ls,ls,ls,ls]).map(g=>ce(ge(g,ls))),hi=n._padding=Ea.map((g,M)=>g(n,M,Ti,0));let Ke,y=null,k=null;const Z=s==1?T[0].idxs:null;let K=null,G=!1;function dt(g,M){if(t=g??[],n.data=n._data=t,s==2){Ke=0;for(let A=1;A<T.length;A++)Ke+=t[A][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),K=t[0],Ke=K.length;let A=t;if(z==2){A=t.slice();let D=A[0]=Array(Ke);for(let B=0;B<Ke;B++)D[B]=B}n._data=t=A}if(Ns(!0),on("setData"),z==2&&(Kt=!0),M!==!1){let A=C;A.auto(n,G)?yt():Vi(R,A.min,A.max),O=O||_t.left>=0,pt=!0,Fs()}}n.setData=dt;function yt(){G=!0;let g,M;s==1&&(Ke>0?(y=Z[0]=0,k=Z[1]=Ke-1,g=t[0][y],M=t[0][k],z==2?(g=y,M=k):g==M&&(z==3?[g,M]=Uo(g,g,C.log,!1):z==4?[g,M]=xu(g,g,C.log,!1):C.time?M=g+je(86400/d):[g,M]=wo(g,M,Mu,!0))):(y=Z[0]=g=null,k=Z[1]=M=null)),Vi(R,g,M)}let Lt,Tt,Xt,Yt,kt,se,pe,Le,ye,ee;function Wt(g,M,A,D,B,X){g??=xf,A??=yu,D??="butt",B??=xf,X??="round",g!=Lt&&(h.strokeStyle=Lt=g),B!=Tt&&(h.fillStyle=Tt=B),M!=Xt&&(h.lineWidth=Xt=M),X!=kt&&(h.lineJoin=kt=X),D!=se&&(h.lineCap=se=D),A!=Yt&&h.setLineDash(Yt=A)}function Ue(g,M,A,D){M!=Tt&&(h.fillStyle=Tt=M),g!=pe&&(h.font=pe=g),A!=Le&&(h.textAlign=Le=A),D!=ye&&(h.textBaseline=ye=D)}function le(g,M,A,D,B=0){if(D.length>0&&g.auto(n,G)&&(M==null||M.min==null)){let X=ge(y,0),st=ge(k,D.length-1),ct=A.min==null?RS(D,X,st,B,g.distr==3):[A.min,A.max];g.min=oi(g.min,A.min=ct[0]),g.max=wn(g.max,A.max=ct[1])}}const dn={min:null,max:null};function zi(){for(let D in S){let B=S[D];W[D]==null&&(B.min==null||W[R]!=null&&B.auto(n,G))&&(W[D]=dn)}for(let D in S){let B=S[D];W[D]==null&&B.from!=null&&W[B.from]!=null&&(W[D]=dn)}W[R]!=null&&Ns(!0);let g={};for(let D in W){let B=W[D];if(B!=null){let X=g[D]=br(S[D],OS);if(B.min!=null)qe(X,B);else if(D!=R||s==2)if(Ke==0&&X.from==null){let st=X.range(n,null,null,D);X.min=st[0],X.max=st[1]}else X.min=Ce,X.max=-Ce}}if(Ke>0){T.forEach((D,B)=>{if(s==1){let X=D.scale,st=W[X];if(st==null)return;let ct=g[X];if(B==0){let mt=ct.range(n,ct.min,ct.max,X);ct.min=mt[0],ct.max=mt[1],y=ri(ct.min,t[0]),k=ri(ct.max,t[0]),k-y>1&&(t[0][y]<ct.min&&y++,t[0][k]>ct.max&&k--),D.min=K[y],D.max=K[k]}else D.show&&D.auto&&le(ct,st,D,t[B],D.sorted);D.idxs[0]=y,D.idxs[1]=k}else if(B>0&&D.show&&D.auto){let[X,st]=D.facets,ct=X.scale,mt=st.scale,[wt,Rt]=t[B],Ut=g[ct],Qt=g[mt];Ut!=null&&le(Ut,W[ct],X,wt,X.sorted),Qt!=null&&le(Qt,W[mt],st,Rt,st.sorted),D.min=st.min,D.max=st.max}});for(let D in g){let B=g[D],X=W[D];if(B.from==null&&(X==null||X.min==null)){let st=B.range(n,B.min==Ce?null:B.min,B.max==-Ce?null:B.max,D);B.min=st[0],B.max=st[1]}}}for(let D in g){let B=g[D];if(B.from!=null){let X=g[B.from];if(X.min==null)B.min=B.max=null;else{let st=B.range(n,X.min,X.max,D);B.min=st[0],B.max=st[1]}}}let M={},A=!1;for(let D in g){let B=g[D],X=S[D];if(X.min!=B.min||X.max!=B.max){X.min=B.min,X.max=B.max;let st=X.distr;X._min=st==3?Ni(X.min):st==4?Ol(X.min,X.asinh):st==100?X.fwd(X.min):X.min,X._max=st==3?Ni(X.max):st==4?Ol(X.max,X.asinh):st==100?X.fwd(X.max):X.max,M[D]=A=!0}}if(A){T.forEach((D,B)=>{s==2?B>0&&M.y&&(D._paths=null):M[D.scale]&&(D._paths=null)});for(let D in M)Kt=!0,on("setScale",D);jt&&_t.left>=0&&(O=pt=!0)}for(let D in W)W[D]=null}function xn(g){let M=Bc(y-1,0,Ke-1),A=Bc(k+1,0,Ke-1);for(;g[M]==null&&M>0;)M--;for(;g[A]==null&&A<Ke-1;)A++;return[M,A]}function cs(){if(Ke>0){let g=T.some(M=>M._focus)&&ee!=Dn.alpha;g&&(h.globalAlpha=ee=Dn.alpha),T.forEach((M,A)=>{if(A>0&&M.show&&(Ie(A,!1),Ie(A,!0),M._paths==null)){let D=ee;ee!=M.alpha&&(h.globalAlpha=ee=M.alpha);let B=s==2?[0,t[A][0].length-1]:xn(t[A]);M._paths=M.paths(n,A,B[0],B[1]),ee!=D&&(h.globalAlpha=ee=D)}}),T.forEach((M,A)=>{if(A>0&&M.show){let D=ee;ee!=M.alpha&&(h.globalAlpha=ee=M.alpha),M._paths!=null&&Mn(A,!1);{let B=M._paths!=null?M._paths.gaps:null,X=M.points.show(n,A,y,k,B),st=M.points.filter(n,A,X,B);(X||st)&&(M.points._paths=M.points.paths(n,A,y,k,st),Mn(A,!0))}ee!=D&&(h.globalAlpha=ee=D),on("drawSeries",A)}}),g&&(h.globalAlpha=ee=1)}}function Ie(g,M){let A=M?T[g].points:T[g];A._stroke=A.stroke(n,g),A._fill=A.fill(n,g)}function Mn(g,M){let A=M?T[g].points:T[g],{stroke:D,fill:B,clip:X,flags:st,_stroke:ct=A._stroke,_fill:mt=A._fill,_width:wt=A.width}=A._paths;wt=Pe(wt*xe,3);let Rt=null,Ut=wt%2/2;M&&mt==null&&(mt=wt>0?"#fff":ct);let Qt=A.pxAlign==1&&Ut>0;if(Qt&&h.translate(Ut,Ut),!M){let ve=At-wt/2,me=at-wt/2,oe=gt+wt,$t=Bt+wt;Rt=new Path2D,Rt.rect(ve,me,oe,$t)}M?sn(ct,wt,A.dash,A.cap,mt,D,B,st,X):Cn(g,ct,wt,A.dash,A.cap,mt,D,B,st,Rt,X),Qt&&h.translate(-Ut,-Ut)}function Cn(g,M,A,D,B,X,st,ct,mt,wt,Rt){let Ut=!1;mt!=0&&L.forEach((Qt,ve)=>{if(Qt.series[0]==g){let me=T[Qt.series[1]],oe=t[Qt.series[1]],$t=(me._paths||oa).band;Qi($t)&&($t=Qt.dir==1?$t[0]:$t[1]);let Ht,Be=null;me.show&&$t&&PS(oe,y,k)?(Be=Qt.fill(n,ve)||X,Ht=me._paths.clip):$t=null,sn(M,A,D,B,Be,st,ct,mt,wt,Rt,Ht,$t),Ut=!0}}),Ut||sn(M,A,D,B,X,st,ct,mt,wt,Rt)}const nn=Tr|Hc;function sn(g,M,A,D,B,X,st,ct,mt,wt,Rt,Ut){Wt(g,M,A,D,B),(mt||wt||Ut)&&(h.save(),mt&&h.clip(mt),wt&&h.clip(wt)),Ut?(ct&nn)==nn?(h.clip(Ut),Rt&&h.clip(Rt),Gn(B,st),ki(g,X,M)):ct&Hc?(Gn(B,st),h.clip(Ut),ki(g,X,M)):ct&Tr&&(h.save(),h.clip(Ut),Rt&&h.clip(Rt),Gn(B,st),h.restore(),ki(g,X,M)):(Gn(B,st),ki(g,X,M)),(mt||wt||Ut)&&h.restore()}function ki(g,M,A){A>0&&(M instanceof Map?M.forEach((D,B)=>{h.strokeStyle=Lt=B,h.stroke(D)}):M!=null&&g&&h.stroke(M))}function Gn(g,M){M instanceof Map?M.forEach((A,D)=>{h.fillStyle=Tt=D,h.fill(A)}):M!=null&&g&&h.fill(M)}function Ip(g,M,A,D){let B=w[g],X;if(D<=0)X=[0,0];else{let st=B._space=B.space(n,g,M,A,D),ct=B._incrs=B.incrs(n,g,M,A,D,st);X=Zy(M,A,ct,D,st)}return B._found=X}function Ho(g,M,A,D,B,X,st,ct,mt,wt){let Rt=st%2/2;x==1&&h.translate(Rt,Rt),Wt(ct,st,mt,wt,ct),h.beginPath();let Ut,Qt,ve,me,oe=B+(D==0||D==3?-X:X);A==0?(Qt=B,me=oe):(Ut=B,ve=oe);for(let $t=0;$t<g.length;$t++)M[$t]!=null&&(A==0?Ut=ve=g[$t]:Qt=me=g[$t],h.moveTo(Ut,Qt),h.lineTo(ve,me));h.stroke(),x==1&&h.translate(-Rt,-Rt)}function Np(g){let M=!0;return w.forEach((A,D)=>{if(!A.show)return;let B=S[A.scale];if(B.min==null){A._show&&(M=!1,A._show=!1,Ns(!1));return}else A._show||(M=!1,A._show=!0,Ns(!1));let X=A.side,st=X%2,{min:ct,max:mt}=B,[wt,Rt]=Ip(D,ct,mt,st==0?v:N);if(Rt==0)return;let Ut=B.distr==2,Qt=A._splits=A.splits(n,D,ct,mt,wt,Rt,Ut),ve=B.distr==2?Qt.map(Ht=>K[Ht]):Qt,me=B.distr==2?K[Qt[1]]-K[Qt[0]]:wt,oe=A._values=A.values(n,A.filter(n,ve,D,Rt,me),D,Rt,me);A._rotate=X==2?A.rotate(n,oe,D,Rt):0;let $t=A._size;A._size=jn(A.size(n,oe,D,g)),$t!=null&&A._size!=$t&&(M=!1)}),M}function Fp(g){let M=!0;return Ea.forEach((A,D)=>{let B=A(n,D,Ti,g);B!=hi[D]&&(M=!1),hi[D]=B}),M}function Op(){for(let g=0;g<w.length;g++){let M=w[g];if(!M.show||!M._show)continue;let A=M.side,D=A%2,B,X,st=M.stroke(n,g),ct=A==0||A==3?-1:1,[mt,wt]=M._found;if(M.label!=null){let yn=M.labelGap*ct,In=je((M._lpos+yn)*xe);Ue(M.labelFont[0],st,"center",A==2?Zr:vf),h.save(),D==1?(B=X=0,h.translate(In,je(at+Bt/2)),h.rotate((A==3?-_o:_o)/2)):(B=je(At+gt/2),X=In);let fs=Jd(M.label)?M.label(n,g,mt,wt):M.label;h.fillText(fs,B,X),h.restore()}if(wt==0)continue;let Rt=S[M.scale],Ut=D==0?gt:Bt,Qt=D==0?At:at,ve=M._splits,me=Rt.distr==2?ve.map(yn=>K[yn]):ve,oe=Rt.distr==2?K[ve[1]]-K[ve[0]]:mt,$t=M.ticks,Ht=M.border,Be=$t.show?$t.size:0,He=je(Be*xe),ln=je((M.alignTo==2?M._size-Be-M.gap:M.gap)*xe),Te=M._rotate*-_o/180,Ve=m(M._pos*xe),Ln=(He+ln)*ct,Sn=Ve+Ln;X=D==0?Sn:0,B=D==1?Sn:0;let Wn=M.font[0],Qn=M.align==1?cr:M.align==2?Il:Te>0?cr:Te<0?Il:D==0?"center":A==3?Il:cr,pi=Te||D==1?"middle":A==2?Zr:vf;Ue(Wn,st,Qn,pi);let Un=M.font[1]*M.lineGap,Xn=ve.map(yn=>m(o(yn,Rt,Ut,Qt))),ti=M._values;for(let yn=0;yn<ti.length;yn++){let In=ti[yn];if(In!=null){D==0?B=Xn[yn]:X=Xn[yn],In=""+In;let fs=In.indexOf(`
`)==-1?[In]:In.split(/\n/gm);for(let En=0;En<fs.length;En++){let $u=fs[En];Te?(h.save(),h.translate(B,X+En*Un),h.rotate(Te),h.fillText($u,0,0),h.restore()):h.fillText($u,B,X+En*Un)}}}$t.show&&Ho(Xn,$t.filter(n,me,g,wt,oe),D,A,Ve,He,Pe($t.width*xe,3),$t.stroke(n,g),$t.dash,$t.cap);let mi=M.grid;mi.show&&Ho(Xn,mi.filter(n,me,g,wt,oe),D,D==0?2:1,D==0?at:At,D==0?Bt:gt,Pe(mi.width*xe,3),mi.stroke(n,g),mi.dash,mi.cap),Ht.show&&Ho([Ve],[1],D==0?1:0,D==0?1:2,D==1?at:At,D==1?Bt:gt,Pe(Ht.width*xe,3),Ht.stroke(n,g),Ht.dash,Ht.cap)}on("drawAxes")}function Ns(g){T.forEach((M,A)=>{A>0&&(M._paths=null,g&&(s==1?(M.min=null,M.max=null):M.facets.forEach(D=>{D.min=null,D.max=null})))})}let ba=!1,Vo=!1,Ir=[];function Bp(){Vo=!1;for(let g=0;g<Ir.length;g++)on(...Ir[g]);Ir.length=0}function Fs(){ba||(WS(Pu),ba=!0)}function zp(g,M=!1){ba=!0,Vo=M,g(n),Pu(),M&&Ir.length>0&&queueMicrotask(Bp)}n.batch=zp;function Pu(){if(Ot&&(zi(),Ot=!1),Kt&&(Ft(),Kt=!1),Mt){if(ze(p,cr,j),ze(p,Zr,it),ze(p,ea,v),ze(p,na,N),ze(_,cr,j),ze(_,Zr,it),ze(_,ea,v),ze(_,na,N),ze(f,ea,_e),ze(f,na,P),u.width=je(_e*xe),u.height=je(P*xe),w.forEach(({_el:g,_show:M,_size:A,_pos:D,side:B})=>{if(g!=null)if(M){let X=B===3||B===0?A:0,st=B%2==1;ze(g,st?"left":"top",D-X),ze(g,st?"width":"height",A),ze(g,st?"top":"left",st?it:j),ze(g,st?"height":"width",st?N:v),Fc(g,Ts)}else On(g,Ts)}),Lt=Tt=Xt=kt=se=pe=Le=ye=Yt=null,ee=1,Or(!0),j!=et||it!=Nt||v!=ht||N!=Dt){Ns(!1);let g=v/ht,M=N/Dt;if(jt&&!O&&_t.left>=0){_t.left*=g,_t.top*=M,Os&&gi(Os,je(_t.left),0,v,N),Bs&&gi(Bs,0,je(_t.top),v,N);for(let A=0;A<vn.length;A++){let D=vn[A];D!=null&&(bi[A]*=g,Jn[A]*=M,gi(D,jn(bi[A]),jn(Jn[A]),v,N))}}if(Oe.show&&!ft&&Oe.left>=0&&Oe.width>0){Oe.left*=g,Oe.width*=g,Oe.top*=M,Oe.height*=M;for(let A in $o)ze(Hs,A,Oe[A])}et=j,Nt=it,ht=v,Dt=N}on("setSize"),Mt=!1}_e>0&&P>0&&(h.clearRect(0,0,u.width,u.height),on("drawClear"),F.forEach(g=>g()),on("draw")),Oe.show&&ft&&(Ta(Oe),ft=!1),jt&&O&&(hs(null,!0,!1),O=!1),St.show&&St.live&&pt&&(Yo(),pt=!1),l||(l=!0,n.status=1,on("ready")),G=!1,ba=!1}n.redraw=(g,M)=>{Kt=M||!1,g!==!1?Vi(R,C.min,C.max):Fs()};function Go(g,M){let A=S[g];if(A.from==null){if(Ke==0){let D=A.range(n,M.min,M.max,g);M.min=D[0],M.max=D[1]}if(M.min>M.max){let D=M.min;M.min=M.max,M.max=D}if(Ke>1&&M.min!=null&&M.max!=null&&M.max-M.min<1e-16)return;g==R&&A.distr==2&&Ke>0&&(M.min=ri(M.min,t[0]),M.max=ri(M.max,t[0]),M.min==M.max&&M.max++),W[g]=M,Ot=!0,Fs()}}n.setScale=Go;let Wo,Xo,Os,Bs,Du,Lu,zs,ks,Uu,Iu,Fe,ke,Hi=!1;const fn=_t.drag;let rn=fn.x,an=fn.y;jt&&(_t.x&&(Wo=$n(pS,_)),_t.y&&(Xo=$n(mS,_)),C.ori==0?(Os=Wo,Bs=Xo):(Os=Xo,Bs=Wo),Fe=_t.left,ke=_t.top);const Oe=n.select=qe({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Hs=Oe.show?$n(dS,Oe.over?_:p):null;function Ta(g,M){if(Oe.show){for(let A in g)Oe[A]=g[A],A in $o&&ze(Hs,A,g[A]);M!==!1&&on("setSelect")}}n.setSelect=Ta;function kp(g){if(T[g].show)te&&Fc(xt[g],Ts);else if(te&&On(xt[g],Ts),jt){let A=ui?vn[0]:vn[g];A!=null&&gi(A,-10,-10,v,N)}}function Vi(g,M,A){Go(g,{min:M,max:A})}function fi(g,M,A,D){M.focus!=null&&Xp(g),M.show!=null&&T.forEach((B,X)=>{X>0&&(g==X||g==null)&&(B.show=M.show,kp(X),s==2?(Vi(B.facets[0].scale,null,null),Vi(B.facets[1].scale,null,null)):Vi(B.scale,null,null),Fs())}),A!==!1&&on("setSeries",g,M),D&&Br("setSeries",n,g,M)}n.setSeries=fi;function Hp(g,M){qe(L[g],M)}function Vp(g,M){g.fill=ce(g.fill||null),g.dir=ge(g.dir,-1),M=M??L.length,L.splice(M,0,g)}function Gp(g){g==null?L.length=0:L.splice(g,1)}n.addBand=Vp,n.setBand=Hp,n.delBand=Gp;function Wp(g,M){T[g].alpha=M,jt&&vn[g]!=null&&(vn[g].style.opacity=M),te&&xt[g]&&(xt[g].style.opacity=M)}let wi,Gi,us;const Vs={focus:!0};function Xp(g){if(g!=us){let M=g==null,A=Dn.alpha!=1;T.forEach((D,B)=>{if(s==1||B>0){let X=M||B==0||B==g;D._focus=M?null:X,A&&Wp(B,X?1:Dn.alpha)}}),us=g,A&&Fs()}}te&&Rn&&Vt(yf,nt,g=>{_t._lock||(hn(g),us!=null&&fi(null,Vs,!0,Xe.setSeries))});function di(g,M,A){let D=S[M];A&&(g=g/xe-(D.ori==1?it:j));let B=v;D.ori==1&&(B=N,g=B-g),D.dir==-1&&(g=B-g);let X=D._min,st=D._max,ct=g/B,mt=X+(st-X)*ct,wt=D.distr;return wt==3?yr(10,mt):wt==4?LS(mt,D.asinh):wt==100?D.bwd(mt):mt}function Yp(g,M){let A=di(g,R,M);return ri(A,t[0],y,k)}n.valToIdx=g=>ri(g,t[0]),n.posToIdx=Yp,n.posToVal=di,n.valToPos=(g,M,A)=>S[M].ori==0?r(g,S[M],A?gt:v,A?At:0):a(g,S[M],A?Bt:N,A?at:0),n.setCursor=(g,M,A)=>{Fe=g.left,ke=g.top,hs(null,M,A)};function Nu(g,M){ze(Hs,cr,Oe.left=g),ze(Hs,ea,Oe.width=M)}function Fu(g,M){ze(Hs,Zr,Oe.top=g),ze(Hs,na,Oe.height=M)}let Nr=C.ori==0?Nu:Fu,Fr=C.ori==1?Nu:Fu;function qp(){if(te&&St.live)for(let g=s==2?1:0;g<T.length;g++){if(g==0&&I)continue;let M=St.values[g],A=0;for(let D in M)Zt[g][A++].firstChild.nodeValue=M[D]}}function Yo(g,M){if(g!=null&&(g.idxs?g.idxs.forEach((A,D)=>{vt[D]=A}):FS(g.idx)||vt.fill(g.idx),St.idx=vt[0]),te&&St.live){for(let A=0;A<T.length;A++)(A>0||s==1&&!I)&&$p(A,vt[A]);qp()}pt=!1,M!==!1&&on("setLegend")}n.setLegend=Yo;function $p(g,M){let A=T[g],D=g==0&&z==2?K:t[g],B;I?B=A.values(n,g,M)??he:(B=A.value(n,M==null?null:D[M],g,M),B=B==null?he:{_:B}),St.values[g]=B}function hs(g,M,A){Uu=Fe,Iu=ke,[Fe,ke]=_t.move(n,Fe,ke),_t.left=Fe,_t.top=ke,jt&&(Os&&gi(Os,je(Fe),0,v,N),Bs&&gi(Bs,0,je(ke),v,N));let D,B=y>k;wi=Ce,Gi=null;let X=C.ori==0?v:N,st=C.ori==1?v:N;if(Fe<0||Ke==0||B){D=_t.idx=null;for(let ct=0;ct<T.length;ct++){let mt=vn[ct];mt!=null&&gi(mt,-10,-10,v,N)}Rn&&fi(null,Vs,!0,g==null&&Xe.setSeries),St.live&&(vt.fill(D),pt=!0)}else{let ct,mt,wt;s==1&&(ct=C.ori==0?Fe:ke,mt=di(ct,R),D=_t.idx=ri(mt,t[0],y,k),wt=H(t[0][D],C,X,0));let Rt=-10,Ut=-10,Qt=0,ve=0,me=!0,oe="",$t="";for(let Ht=s==2?1:0;Ht<T.length;Ht++){let Be=T[Ht],He=vt[Ht],ln=He==null?null:s==1?t[Ht][He]:t[Ht][1][He],Te=_t.dataIdx(n,Ht,D,mt),Ve=Te==null?null:s==1?t[Ht][Te]:t[Ht][1][Te];if(pt=pt||Ve!=ln||Te!=He,vt[Ht]=Te,Ht>0&&Be.show){let Ln=Te==null?-10:Te==D?wt:H(s==1?t[0][Te]:t[Ht][0][Te],C,X,0),Sn=Ve==null?-10:Y(Ve,s==1?S[Be.scale]:S[Be.facets[1].scale],st,0);if(Rn&&Ve!=null){let Wn=C.ori==1?Fe:ke,Qn=Ze(Dn.dist(n,Ht,Te,Sn,Wn));if(Qn<wi){let pi=Dn.bias;if(pi!=0){let Un=di(Wn,Be.scale),Xn=Ve>=0?1:-1,ti=Un>=0?1:-1;ti==Xn&&(ti==1?pi==1?Ve>=Un:Ve<=Un:pi==1?Ve<=Un:Ve>=Un)&&(wi=Qn,Gi=Ht)}else wi=Qn,Gi=Ht}}if(pt||ui){let Wn,Qn;C.ori==0?(Wn=Ln,Qn=Sn):(Wn=Sn,Qn=Ln);let pi,Un,Xn,ti,mi,yn,In=!0,fs=Re.bbox;if(fs!=null){In=!1;let En=fs(n,Ht);Xn=En.left,ti=En.top,pi=En.width,Un=En.height}else Xn=Wn,ti=Qn,pi=Un=Re.size(n,Ht);if(yn=Re.fill(n,Ht),mi=Re.stroke(n,Ht),ui)Ht==Gi&&wi<=Dn.prox&&(Rt=Xn,Ut=ti,Qt=pi,ve=Un,me=In,oe=yn,$t=mi);else{let En=vn[Ht];En!=null&&(bi[Ht]=Xn,Jn[Ht]=ti,Cf(En,pi,Un,In),Af(En,yn,mi),gi(En,jn(Xn),jn(ti),v,N))}}}}if(ui){let Ht=Dn.prox,Be=us==null?wi<=Ht:wi>Ht||Gi!=us;if(pt||Be){let He=vn[0];He!=null&&(bi[0]=Rt,Jn[0]=Ut,Cf(He,Qt,ve,me),Af(He,oe,$t),gi(He,jn(Rt),jn(Ut),v,N))}}}if(Oe.show&&Hi)if(g!=null){let[ct,mt]=Xe.scales,[wt,Rt]=Xe.match,[Ut,Qt]=g.cursor.sync.scales,ve=g.cursor.drag;if(rn=ve._x,an=ve._y,rn||an){let{left:me,top:oe,width:$t,height:Ht}=g.select,Be=g.scales[Ut].ori,He=g.posToVal,ln,Te,Ve,Ln,Sn,Wn=ct!=null&&wt(ct,Ut),Qn=mt!=null&&Rt(mt,Qt);Wn&&rn?(Be==0?(ln=me,Te=$t):(ln=oe,Te=Ht),Ve=S[ct],Ln=H(He(ln,Ut),Ve,X,0),Sn=H(He(ln+Te,Ut),Ve,X,0),Nr(oi(Ln,Sn),Ze(Sn-Ln))):Nr(0,X),Qn&&an?(Be==1?(ln=me,Te=$t):(ln=oe,Te=Ht),Ve=S[mt],Ln=Y(He(ln,Qt),Ve,st,0),Sn=Y(He(ln+Te,Qt),Ve,st,0),Fr(oi(Ln,Sn),Ze(Sn-Ln))):Fr(0,st)}else Ko()}else{let ct=Ze(Uu-Du),mt=Ze(Iu-Lu);if(C.ori==1){let Qt=ct;ct=mt,mt=Qt}rn=fn.x&&ct>=fn.dist,an=fn.y&&mt>=fn.dist;let wt=fn.uni;wt!=null?rn&&an&&(rn=ct>=wt,an=mt>=wt,!rn&&!an&&(mt>ct?an=!0:rn=!0)):fn.x&&fn.y&&(rn||an)&&(rn=an=!0);let Rt,Ut;rn&&(C.ori==0?(Rt=zs,Ut=Fe):(Rt=ks,Ut=ke),Nr(oi(Rt,Ut),Ze(Ut-Rt)),an||Fr(0,st)),an&&(C.ori==1?(Rt=zs,Ut=Fe):(Rt=ks,Ut=ke),Fr(oi(Rt,Ut),Ze(Ut-Rt)),rn||Nr(0,X)),!rn&&!an&&(Nr(0,0),Fr(0,0))}if(fn._x=rn,fn._y=an,g==null){if(A){if(qu!=null){let[ct,mt]=Xe.scales;Xe.values[0]=ct!=null?di(C.ori==0?Fe:ke,ct):null,Xe.values[1]=mt!=null?di(C.ori==1?Fe:ke,mt):null}Br(Nl,n,Fe,ke,v,N,D)}if(Rn){let ct=A&&Xe.setSeries,mt=Dn.prox;us==null?wi<=mt&&fi(Gi,Vs,!0,ct):wi>mt?fi(null,Vs,!0,ct):Gi!=us&&fi(Gi,Vs,!0,ct)}}pt&&(St.idx=D,Yo()),M!==!1&&on("setCursor")}let Wi=null;Object.defineProperty(n,"rect",{get(){return Wi==null&&Or(!1),Wi}});function Or(g=!1){g?Wi=null:(Wi=_.getBoundingClientRect(),on("syncRect",Wi))}function Ou(g,M,A,D,B,X,st){_t._lock||Hi&&g!=null&&g.movementX==0&&g.movementY==0||(qo(g,M,A,D,B,X,st,!1,g!=null),g!=null?hs(null,!0,!0):hs(M,!0,!1))}function qo(g,M,A,D,B,X,st,ct,mt){if(Wi==null&&Or(!1),hn(g),g!=null)A=g.clientX-Wi.left,D=g.clientY-Wi.top;else{if(A<0||D<0){Fe=-10,ke=-10;return}let[wt,Rt]=Xe.scales,Ut=M.cursor.sync,[Qt,ve]=Ut.values,[me,oe]=Ut.scales,[$t,Ht]=Xe.match,Be=M.axes[0].side%2==1,He=C.ori==0?v:N,ln=C.ori==1?v:N,Te=Be?X:B,Ve=Be?B:X,Ln=Be?D:A,Sn=Be?A:D;if(me!=null?A=$t(wt,me)?o(Qt,S[wt],He,0):-10:A=He*(Ln/Te),oe!=null?D=Ht(Rt,oe)?o(ve,S[Rt],ln,0):-10:D=ln*(Sn/Ve),C.ori==1){let Wn=A;A=D,D=Wn}}mt&&(M==null||M.cursor.event.type==Nl)&&((A<=1||A>=v-1)&&(A=Ms(A,v)),(D<=1||D>=N-1)&&(D=Ms(D,N))),ct?(Du=A,Lu=D,[zs,ks]=_t.move(n,A,D)):(Fe=A,ke=D)}const $o={width:0,height:0,left:0,top:0};function Ko(){Ta($o,!1)}let Bu,zu,ku,Hu;function Vu(g,M,A,D,B,X,st){Hi=!0,rn=an=fn._x=fn._y=!1,qo(g,M,A,D,B,X,st,!0,!1),g!=null&&(Vt(Fl,Ic,Gu,!1),Br(Mf,n,zs,ks,v,N,null));let{left:ct,top:mt,width:wt,height:Rt}=Oe;Bu=ct,zu=mt,ku=wt,Hu=Rt}function Gu(g,M,A,D,B,X,st){Hi=fn._x=fn._y=!1,qo(g,M,A,D,B,X,st,!1,!0);let{left:ct,top:mt,width:wt,height:Rt}=Oe,Ut=wt>0||Rt>0,Qt=Bu!=ct||zu!=mt||ku!=wt||Hu!=Rt;if(Ut&&Qt&&Ta(Oe),fn.setScale&&Ut&&Qt){let ve=ct,me=wt,oe=mt,$t=Rt;if(C.ori==1&&(ve=mt,me=Rt,oe=ct,$t=wt),rn&&Vi(R,di(ve,R),di(ve+me,R)),an)for(let Ht in S){let Be=S[Ht];Ht!=R&&Be.from==null&&Be.min!=Ce&&Vi(Ht,di(oe+$t,Ht),di(oe,Ht))}Ko()}else _t.lock&&(_t._lock=!_t._lock,hs(M,!0,g!=null));g!=null&&(Ne(Fl,Ic),Br(Fl,n,Fe,ke,v,N,null))}function Kp(g,M,A,D,B,X,st){if(_t._lock)return;hn(g);let ct=Hi;if(Hi){let mt=!0,wt=!0,Rt=10,Ut,Qt;C.ori==0?(Ut=rn,Qt=an):(Ut=an,Qt=rn),Ut&&Qt&&(mt=Fe<=Rt||Fe>=v-Rt,wt=ke<=Rt||ke>=N-Rt),Ut&&mt&&(Fe=Fe<zs?0:v),Qt&&wt&&(ke=ke<ks?0:N),hs(null,!0,!0),Hi=!1}Fe=-10,ke=-10,vt.fill(null),hs(null,!0,!0),ct&&(Hi=ct)}function Wu(g,M,A,D,B,X,st){_t._lock||(hn(g),yt(),Ko(),g!=null&&Br(Ef,n,Fe,ke,v,N,null))}function Xu(){w.forEach(Jy),Pt(n.width,n.height,!0)}As(To,_r,Xu);const Gs={};Gs.mousedown=Vu,Gs.mousemove=Ou,Gs.mouseup=Gu,Gs.dblclick=Wu,Gs.setSeries=(g,M,A,D)=>{let B=Xe.match[2];A=B(n,M,A),A!=-1&&fi(A,D,!0,!1)},jt&&(Vt(Mf,_,Vu),Vt(Nl,_,Ou),Vt(Sf,_,g=>{hn(g),Or(!1)}),Vt(yf,_,Kp),Vt(Ef,_,Wu),Vc.add(n),n.syncRect=Or);const wa=n.hooks=i.hooks||{};function on(g,M,A){Vo?Ir.push([g,M,A]):g in wa&&wa[g].forEach(D=>{D.call(null,n,M,A)})}(i.plugins||[]).forEach(g=>{for(let M in g.hooks)wa[M]=(wa[M]||[]).concat(g.hooks[M])});const Yu=(g,M,A)=>A,Xe=qe({key:null,setSeries:!1,filters:{pub:If,sub:If},scales:[R,T[1]?T[1].scale:null],match:[Nf,Nf,Yu],values:[null,null]},_t.sync);Xe.match.length==2&&Xe.match.push(Yu),_t.sync=Xe;const qu=Xe.key,jo=yp(qu);function Br(g,M,A,D,B,X,st){Xe.filters.pub(g,M,A,D,B,X,st)&&jo.pub(g,M,A,D,B,X,st)}jo.sub(n);function jp(g,M,A,D,B,X,st){Xe.filters.sub(g,M,A,D,B,X,st)&&Gs[g](null,M,A,D,B,X,st)}n.pub=jp;function Zp(){jo.unsub(n),Vc.delete(n),Ct.clear(),Oc(To,_r,Xu),c.remove(),nt?.remove(),on("destroy")}n.destroy=Zp;function Zo(){on("init",i,t),dt(t||i.data,!1),W[R]?Go(R,W[R]):yt(),ft=Oe.show&&(Oe.width>0||Oe.height>0),O=pt=!0,Pt(i.width,i.height)}return T.forEach(os),w.forEach(ko),e?e instanceof HTMLElement?(e.appendChild(c),Zo()):e(n,Zo):Zo(),n}_n.assign=qe;_n.fmtNum=Su;_n.rangeNum=wo;_n.rangeLog=Uo;_n.rangeAsinh=xu;_n.orient=Is;_n.pxRatio=xe;_n.join=GS;_n.fmtDate=Eu,_n.tzDate=ty;_n.sync=yp;{_n.addGap=Fy,_n.clipGaps=Fo;let i=_n.paths={points:Rp};i.linear=Pp,i.stepped=zy,i.bars=ky,i.spline=Vy}const Qy=900,sa=["#5ad1b4","#f2a65a","#7aa7ff","#e8739a","#c9d05c","#b48cf2"],tE=120;class la{constructor(t,e,n,s){this.title=e,this.curves=n,this.data=[[],...n.map(()=>[])],this.drawn=0,this.host=tt("div",{class:"plot-host"}),this.values=n.map(()=>tt("b",{},"–"));const r=tt("div",{class:"legend"},...n.map((a,o)=>{const l=tt("i",{});return l.style.background=sa[o%sa.length],tt("span",{},l,a.name," ",this.values[o])}));this.close=tt("button",{class:"close",title:"Remove the plot",onclick:()=>this.onclose?.()},"×"),this.node=tt("div",{class:"plot",id:`plot-${t}`},tt("h4",{},e,this.close),this.host,r),this.log=s}add(t,e){const[n]=this.data;if(n.length&&t<n.at(-1)&&this.cut(t),!(n.length&&t===n.at(-1))){if(n.push(t),this.curves.forEach((s,r)=>this.data[r+1].push(s.of(e))),n.length>Qy)for(const s of this.data)s.shift();this.changed=!0}}cut(t){const e=this.data[0].findIndex(n=>n>=t);if(e>=0)for(const n of this.data)n.length=e;this.changed=!0}draw(t){!this.changed||t-this.drawn<tE||!this.host.clientWidth||(this.drawn=t,this.changed=!1,this.chart??=this.make(),this.chart.width!==this.host.clientWidth&&this.chart.setSize({width:this.host.clientWidth,height:118}),this.chart.setData(this.data),this.values.forEach((e,n)=>{const s=this.data[n+1].at(-1);e.textContent=s===void 0?"–":qd(s)}))}make(){const t={stroke:"#8d9aa8",grid:{stroke:"rgba(255,255,255,.06)",width:1},ticks:{show:!1},font:"10px system-ui"};return new _n({width:this.host.clientWidth,height:118,legend:{show:!1},cursor:{y:!1,points:{show:!1}},scales:{x:{time:!1},y:this.log?{distr:3}:{range:(e,n,s)=>eE(n,s)}},axes:[{...t,size:20},{...t,size:46,values:(e,n)=>n.map(s=>s===null?"":Math.abs(s)>=1e4||s!==0&&Math.abs(s)<.01?s.toExponential(0):+s.toPrecision(4))}],series:[{},...this.curves.map((e,n)=>({label:e.name,stroke:sa[n%sa.length],width:1.6,points:{show:!1}}))]},this.data,this.host)}}function eE(i,t){if(i===null)return[0,1];const e=Math.max((t-i)*.08,Math.abs(t)*.001,1e-6);return[i-e,t+e]}const Zi=i=>t=>t.numbers[3]?.[i]??0;function nE(i){const t=[new la("energy","Energy, J",[{name:"potential",of:Zi(0)},{name:"kinetic",of:Zi(1)},{name:"total",of:e=>Zi(0)(e)+Zi(1)(e)}]),new la("solver","Solver",[{name:"iterations",of:Zi(2)},{name:"contacts",of:Zi(3)},{name:"rows",of:Zi(4)}])];return i.coulomb&&t.push(new la("certificate","Residual of exact friction",[{name:"relative residual",of:e=>Math.max(Zi(5)(e),1e-18)}],!0)),t}function iE(i,t){const e=i.hinge?"rad":"m";return new la(`joint-${t}`,i.name,[{name:`position, ${e}`,of:n=>n.numbers[1]?.[t]??0}])}function id(i,t){const e=[];for(let n=0;n<Math.min(i.dim,sa.length);n++){const s=i.dim===1?"value":i.dim<=4&&i.dim!==4?"xyz"[n]:String(n);e.push({name:s,of:r=>r.numbers[2]?.[i.adr+n]??0})}return new la(`sensor-${t}`,i.name,e)}const sE=200;function sd(i,t,e,n){const s=tt("input",{type:"checkbox",id:i,onchange:()=>n(s.checked)});return{label:tt("label",{class:"toggle",for:i},s,tt("span",{},t),e?tt("kbd",{},e):null),input:s}}class rE{constructor(t){const{drawing:e,send:n}=t;this.flags=Ul.map(([o,l],c)=>sd(`flag-${c}`,o,l,u=>n({do:"flag",i:c,on:u}))),this.kinds=t.live?df:[["extra","Contacts and forces","F"],...df],this.rendering=this.kinds.map(([o,l,c])=>{const u=sd(`show-${o}`,l,c,h=>{e.show[o]=h,e.frame&&e.set_frame(e.frame),t.dirty=!0});return u.input.checked=e.show[o],{...u,name:o}}),this.groups=pf.map((o,l)=>[0,1,2,3,4,5].map(c=>{const u=tt("button",{class:"group",id:`group-${l}-${c}`,onclick:()=>n({do:"group",kind:l,i:c,on:!u.classList.contains("on")})},String(c));return u})),this.label=tt("select",{id:"label",onchange:()=>n({do:"choice",of:"label",i:+this.label.value})}),this.frame=tt("select",{id:"frame",onchange:()=>n({do:"choice",of:"frame",i:+this.frame.value})}),_a(this.label,ZM),_a(this.frame,JM);const s=o=>{const l=tt("input",{type:"number",min:"0",id:o,onchange:()=>n({do:"choice",of:o,i:Math.round(+l.value)})});return l};this.depth=s("bvh_depth"),this.layer=s("flex_layer");const r=[14,16,17,12,10,20,2,4,18,0],a=Ul.map((o,l)=>l).filter(o=>!r.includes(o));this.live=tt("div",{},Si("Forces and frames",!0,tt("div",{class:"grid"},...r.map(o=>this.flags[o].label)),tt("div",{class:"row"},tt("span",{},"Labels"),this.label),tt("div",{class:"row"},tt("span",{},"Frames"),this.frame)),Si("Groups",!0,tt("div",{class:"groups"},...pf.flatMap((o,l)=>[tt("span",{},o),tt("div",{},...this.groups[l])]))),Si("More",!1,tt("div",{class:"grid"},...a.map(o=>this.flags[o].label)),tt("div",{class:"row"},tt("span",{},"Tree depth"),this.depth),tt("div",{class:"row"},tt("span",{},"Flex layer"),this.layer))),this.node=tt("aside",{id:"left"},Si("Rendering",!0,tt("div",{class:"grid"},...this.rendering.map(o=>o.label))),this.live)}set_state(t){t.flags.forEach((e,n)=>{this.flags[n]&&(this.flags[n].input.checked=!!e)}),t.groups.forEach((e,n)=>e.forEach((s,r)=>this.groups[n][r].classList.toggle("on",!!s))),this.label.value=String(t.label),this.frame.value=String(t.frame),this.depth.value=String(t.bvh_depth),this.layer.value=String(t.flex_layer)}key(t,e,n){const s=this.rendering.find((a,o)=>this.kinds[o][2]===t);if(s)return s.input.click(),!0;const r=Ul.findIndex(([,a])=>a===t);return r>=0&&n.live&&this.flags[r].input.click(),r>=0}}class aE{constructor(t){this.app=t,this.node=tt("aside",{id:"right"}),this.widgets=new eS(t.send),this.keyframes=new nS(t.send),this.physics=new tS(t.send),this.profiler=new iS}set_model(t){const{send:e,live:n}=this.app,s=o=>o.slice(0,sE);this.controls=s(t.controls).map((o,l)=>new Uc(`control-${l}`,o.name,o.range,c=>e({do:"control",i:l,x:c}))),this.joints=s(t.joints).map((o,l)=>new Uc(`joint-${l}`,o.name,o.range??(o.hinge?[-Math.PI,Math.PI]:null),c=>e({do:"joint",i:o.id,x:c}))),this.plots=[],this.plot_host=tt("div",{}),nE(t).forEach(o=>this.add_plot(o));const r=[...t.sensors.map((o,l)=>[o.name,()=>id(o,l)]),...t.joints.map((o,l)=>[`${o.name} (joint)`,()=>iE(o,l)])];this.choose=tt("select",{id:"add-plot",onchange:()=>{this.choose.value!==""&&this.add_plot(r[+this.choose.value][1]()),this.choose.value=""}}),_a(this.choose,r.map(([o])=>o),"Add a sensor or a joint…"),t.sensors.slice(0,1).forEach((o,l)=>this.add_plot(id(o,l)));for(const o of[...this.controls,...this.joints])o.input.disabled=!n;const a=(o,l)=>o.length>l.length?tt("p",{class:"note"},`${o.length-l.length} more are not shown`):null;this.physics.set_model(t),this.node.replaceChildren(this.widgets.node,...t.controls.length?[Si("Controls",!0,tt("div",{class:"list"},...this.controls.map(o=>o.node)),a(t.controls,this.controls),n?tt("button",{class:"wide",id:"clear-controls",onclick:()=>e({do:"clear"})},"Clear all"):null)]:[],...t.joints.length?[Si("Joints",!t.controls.length,tt("div",{class:"list"},...this.joints.map(o=>o.node)),a(t.joints,this.joints))]:[],Si("Plots",!0,this.plot_host,r.length?this.choose:null),...n?[this.keyframes.node,this.physics.node,this.profiler.node]:[])}add_plot(t){this.plots.some(e=>e.node.id===t.node.id)||(t.onclose=()=>{this.plots=this.plots.filter(e=>e!==t),t.node.remove()},this.plots.push(t),this.plot_host.append(t.node))}set_frame(t){this.controls?.forEach((e,n)=>e.set(t.numbers[0]?.[n]??0)),this.joints?.forEach((e,n)=>e.set(t.numbers[1]?.[n]??0)),this.plots?.forEach(e=>e.add(t.time,t)),this.profiler.set_frame(t)}draw(t){this.plots?.forEach(e=>e.draw(t))}}class oE{constructor(t,e){this.receive=t,this.status=e,this.wait=250,this.connect()}connect(){const t=new URL("socket",location.href);t.protocol=t.protocol.replace("http","ws"),this.socket=new WebSocket(t),this.socket.binaryType="arraybuffer",this.socket.onopen=()=>{this.wait=250,this.status(!0)},this.socket.onmessage=e=>this.receive(e.data),this.socket.onclose=e=>{this.status(!1,e.reason),setTimeout(()=>this.connect(),this.wait),this.wait=Math.min(2*this.wait,4e3)}}send(t){this.socket.readyState===WebSocket.OPEN&&this.socket.send(JSON.stringify(t))}async drop(t){const e=await Promise.all(t.map(async s=>({name:s.name,data:lE(await s.arrayBuffer())}))),n=await fetch("drop",{method:"POST",body:JSON.stringify({do:"drop",files:e})});if(!n.ok)throw new Error(await n.text())}}function lE(i){const t=new Uint8Array(i);let e="";for(let n=0;n<t.length;n+=32768)e+=String.fromCharCode(...t.subarray(n,n+32768));return btoa(e)}class Ro{static find(){return document.getElementById("recording")}constructor(t){this.receive=t,this.frames=[],this.styles=new Map,this.at=0,this.running=!0,this.speed=1,this.open()}async open(){const t=Ro.find().textContent.trim(),e=Uint8Array.from(atob(t),o=>o.charCodeAt(0)),n=new Blob([e]).stream().pipeThrough(new DecompressionStream("deflate")),s=await new Response(n).arrayBuffer(),r=new DataView(s);let a=null;for(let o=0;o+4<=s.byteLength;){const l=r.getUint32(o,!0),c=s.slice(o+4,o+4+l);o+=4+l;const u=ld(c);u===1?a=c:u===2?this.state=ur(c):u===3?this.styles.set(cd(c).version,c):u===4&&this.frames.push(c)}this.times=this.frames.map(o=>new DataView(o).getFloat64(8,!0)),this.receive(a),this.post_state(),this.show(0),this.begin=performance.now(),this.tick()}post_state(){const t={...this.state,running:this.running,speed:this.speed},e=new TextEncoder().encode(JSON.stringify(t)),n=new ArrayBuffer(8+e.length);new DataView(n).setUint32(0,2,!0),new DataView(n).setUint32(4,e.length,!0),new Uint8Array(n,8).set(e),this.receive(n)}show(t){if(!this.frames.length)return;this.at=Math.max(0,Math.min(t,this.frames.length-1));const e=this.frames[this.at],n=new DataView(e).getUint32(16,!0);n!==this.style&&(this.style=n,this.receive(this.styles.get(n))),this.receive(e,[this.at,this.frames.length,this.times[0],this.times.at(-1)])}tick(){const t=performance.now();if(this.running&&this.frames.length>1){const e=this.times.at(-1)-this.times[0];this.clock=(this.clock??this.times[this.at])+(t-this.begin)/1e3*this.speed,this.clock>this.times.at(-1)&&(this.clock=e>0?this.times[0]:this.times.at(-1));let n=this.at;for(this.clock<this.times[n]&&(n=0);n+1<this.times.length&&this.times[n+1]<=this.clock;)n++;n!==this.at&&this.show(n)}else this.clock=void 0;this.begin=t,requestAnimationFrame(()=>this.tick())}send(t){switch(t.do){case"run":this.running=t.on;break;case"step":this.running=!1,this.show(this.at+Math.sign(t.n));break;case"scrub":this.running=!1,this.show(t.i);break;case"speed":this.speed=t.x;break;case"reset":this.clock=void 0,this.show(0);break;default:return}this.post_state()}}const cE=i=>i>=1?`${i}×`:`${+(100*i).toPrecision(3)} %`;class uE{constructor(t){this.app=t;const{send:e}=t;this.name=tt("span",{class:"name"},"Sinew"),this.dot=tt("span",{class:"dot",title:"connected"}),this.play=qn("play","Run or pause (Space)",()=>this.toggle(),"do-play"),this.speed=tt("select",{id:"speed",title:"Speed (− and =)",onchange:()=>e({do:"speed",x:+this.speed.value})},...jr.map(a=>tt("option",{value:String(a)},cE(a)))),this.speed.value="1",this.key=tt("select",{id:"key",title:"Keyframes",onchange:()=>{this.key.value!==""&&e({do:"key",i:+this.key.value}),this.key.value=""}}),this.camera=tt("select",{id:"camera",title:"Camera ([ and ])",onchange:()=>t.look_through(+this.camera.value)}),this.hand=qn("hand","Hand: pull bodies with the left button",()=>this.set_hand(!t.mouse.hand),"do-hand"),this.video=qn("video","Record a video",()=>this.video.classList.toggle("on",t.capture.video()));const n=tt("input",{type:"file",multiple:!0,id:"file",onchange:()=>t.drop([...n.files])});this.selected=tt("span",{id:"selected"});const s=(...a)=>t.live?a:[],r=(a,...o)=>tt("div",{class:`tools ${a}`},...o);this.top=tt("header",{},tt("div",{class:"brand"},this.dot,this.name),r("clock",qn("reset","Reset (Backspace)",()=>e({do:"reset"})),qn("back","One state back (←)",()=>e({do:"step",n:-1})),this.play,qn("step","One step (→)",()=>e({do:"step",n:1})),this.speed,...s(this.hand)),r("folded choices",...s(this.key),this.camera),this.selected,r("folded files",...s(qn("reload","Load the model again",()=>e({do:"reload"}))),qn("camera","Picture",()=>t.capture.picture(),"do-picture"),this.video),r("sides",qn("left","Left panel (Tab)",()=>t.fold("left")),qn("right","Right panel (Shift Tab)",()=>t.fold("right")),qn("help","Help (F1)",()=>t.help.toggle()),qn("menu","More",()=>this.top.classList.toggle("open")),n)),this.time=tt("span",{id:"time"},"0.000 s"),this.pace=tt("span",{id:"pace"}),this.scrub=tt("input",{type:"range",id:"scrub",min:"0",max:"0",step:"1",title:"History"}),this.scrub.addEventListener("input",()=>e({do:"scrub",i:+this.scrub.value})),this.span=tt("span",{class:"span"}),this.bottom=tt("footer",{},this.time,this.scrub,this.span,this.pace)}toggle(){this.app.send({do:"run",on:!this.app.state?.running})}set_hand(t){this.app.mouse.hand=t,this.hand.classList.toggle("on",t),this.app.canvas.style.cursor=t?"grab":""}connected(t,e){this.dot.classList.toggle("off",!t),this.dot.title=t?"connected":`not connected${e?`: ${e}`:""}`,document.body.classList.toggle("lost",!t)}set_model(t){this.name.textContent=t.name.split(/[\\/]/).pop()||"model",this.name.title=`${t.name}: ${t.counts.body} bodies, ${t.counts.dof} dofs, ${t.counts.actuator} actuators`,_a(this.camera,t.cameras.map(e=>e.name)),this.camera.prepend(tt("option",{value:"-1"},"Free camera")),this.set_camera(this.app.view.is)}set_keys(t){_a(this.key,t.map(e=>e.name),"Keyframe…"),this.key.hidden=!t.length}set_camera(t){this.camera.value=t.type===ga?String(t.fixedcamid):"-1"}set_state(t){document.body.classList.toggle("passive",!!t.passive),this.play.replaceChildren(mu(t.running?"pause":"play")),this.play.classList.toggle("on",t.running);const e=jr.find(s=>Math.abs(s-t.speed)<1e-9);this.speed.value=e===void 0?"":String(e),this.set_camera(this.app.view.is);const n=t.selected&&this.app.model?.bodies[t.selected];this.selected.textContent=n?`${n}`:""}change_speed(t){const e=jr.findIndex(s=>s<=(this.app.state?.speed??1)+1e-9),n=jr[Math.max(0,Math.min(jr.length-1,e+t))];this.app.send({do:"speed",x:n})}next_camera(t){const e=this.app.model.cameras.length+1;this.app.look_through((+this.camera.value+1+t+e)%e-1)}set_frame(t){this.time.textContent=`${t.time.toFixed(3)} s`;const[e,n,s,r,a]=t.numbers[4]??[0,0,0,0,0];this.scrub.max=String(Math.max(n-1,0)),(document.activeElement!==this.scrub||this.app.state?.running)&&(this.scrub.value=String(e)),this.span.textContent=n>1?`${(r-s).toFixed(1)} s of history`:"",this.pace.textContent=this.app.state?.running?`${a.toFixed(2)}× real time`:"paused"}}class hE{constructor(){this.node=tt("div",{id:"notices"})}set({title:t="",list:e=[],hidden:n=0}){const s=e.some(a=>a.error);if(this.node.className=s?"bad":"",!e.length){this.node.replaceChildren();return}const r=tt("button",{class:"icon",title:"Close",onclick:()=>this.node.replaceChildren()},mu("close"));this.node.replaceChildren(tt("div",{class:"card"},tt("h3",{},t,r),...e.map(fE),n?tt("p",{},`and ${n} more`):null))}}function fE(i){const t=tt("pre",{});for(const[n,s]of i.lines??[]){const r=n===i.line;t.append(tt("div",{class:r?"here":""},tt("span",{class:"n"},String(n)),s)),r&&t.append(tt("div",{class:"here"},tt("span",{class:"n"},""),`${" ".repeat(Math.max(i.column-1,0))}^`))}const e=i.file!==void 0?`${i.file}:${i.line}:${i.column}`:"";return tt("article",{class:i.error?"error":"warning"},tt("p",{class:"message"},tt("b",{},i.error?"error ":"warning "),i.message),e?tt("p",{class:"place"},e):null,i.lines?.length?t:null,i.help?tt("p",{class:"help"},i.help):null)}class dE{constructor(){this.node=tt("div",{id:"help",onclick:()=>this.toggle(!1)},tt("div",{class:"card"},...QM.map(([t,e])=>tt("section",{},tt("h3",{},t),...e.map(([n,s])=>tt("div",{class:"row"},tt("kbd",{},n),tt("span",{},s)))))))}toggle(t){this.node.classList.toggle("on",t)}}const rd=["top-left","top-right","bottom-left","bottom-right","top","bottom","left","right"];class pE{constructor(){this.node=tt("div",{id:"overlay"})}set({texts:t=[],images:e=[],figures:n=[]}){this.node.replaceChildren(...t.map(([s,r,a,o])=>{const l=`${Math.max(s,50)/100}em`,c=tt("div",{class:`text ${rd[r]??rd[0]}`},tt("pre",{},a),tt("pre",{},o));return c.style.fontSize=l,c}),...e.map(s=>ad(mE(s),s)),...n.map(s=>ad(gE(s),s)))}}function ad(i,{rect:[t,e,n,s]}){return Object.assign(i.style,{left:`${t}px`,bottom:`${e}px`,width:`${n}px`,height:`${s}px`}),i}function mE({rect:[,,i,t],data:e}){const n=tt("canvas",{class:"image"});[n.width,n.height]=[i,t];const s=Uint8Array.from(atob(e),a=>a.charCodeAt(0)),r=new ImageData(i,t);for(let a=0;a<i*t;a++){for(let o=0;o<3;o++)r.data[4*a+o]=s[3*a+o];r.data[4*a+3]=255}return n.getContext("2d").putImageData(r,0,0),n}const od=["#5ad1b4","#f2a65a","#7aa7ff","#e8739a","#c9d05c","#b48cf2"];function gE({rect:[,,i,t],title:e,lines:n,colors:s,range:r}){const a=tt("canvas",{class:"image figure"});[a.width,a.height]=[2*i,2*t];const o=a.getContext("2d");o.scale(2,2);const l=n.flat(),c=T=>{const w=r?.[T];if(w&&w[0]<w[1])return w;const S=l.map(L=>L[T]);return S.length?[Math.min(...S),Math.max(...S)]:[0,1]},[[u,h],[f,p]]=[c(0),c(1)],[_,x,m,d]=[40,22,i-8,t-18];return o.font="11px system-ui",o.fillStyle="#d7dee6",o.fillText(e,_,14),o.fillText(String(+p.toPrecision(3)),4,x+8),o.fillText(String(+f.toPrecision(3)),4,d),o.fillText(String(+u.toPrecision(3)),_,t-5),o.fillText(String(+h.toPrecision(3)),m-24,t-5),o.strokeStyle="rgba(255,255,255,.2)",o.strokeRect(_,x,m-_,d-x),n.forEach((T,w)=>{o.strokeStyle=s?.[w]??od[w%od.length],o.beginPath();for(const[S,L]of T)o.lineTo(_+(S-u)/(h-u||1)*(m-_),d-(L-f)/(p-f||1)*(d-x));o.stroke()}),a}class _E{constructor(t){this.app=t}name(t){return`${(this.app.model?.name??"sinew").split(/[\\/]/).pop().replace(/\.\w+$/,"")||"sinew"}.${t}`}save(t,e){const n=tt("a",{href:URL.createObjectURL(t),download:this.name(e)});n.click(),setTimeout(()=>URL.revokeObjectURL(n.href),6e4)}picture(){this.app.drawing.render(this.app.view.update()),this.app.canvas.toBlob(t=>this.save(t,"png"),"image/png")}video(){if(this.recorder)return this.recorder.stop(),this.recorder=null,!1;const t=["video/webm;codecs=vp9","video/webm","video/mp4"].find(s=>MediaRecorder.isTypeSupported(s)),e=new MediaRecorder(this.app.canvas.captureStream(60),{mimeType:t,videoBitsPerSecond:12e6}),n=[];return e.ondataavailable=s=>n.push(s.data),e.onstop=()=>this.save(new Blob(n,{type:t}),t.includes("mp4")?"mp4":"webm"),e.start(500),this.recorder=e,!0}}const vE={" ":32,Escape:256,Enter:257,Tab:258,Backspace:259,Insert:260,Delete:261,ArrowRight:262,ArrowLeft:263,ArrowDown:264,ArrowUp:265,PageUp:266,PageDown:267,Home:268,End:269,Shift:340,Control:341,Alt:342};function xE(i){return/^F\d+$/.test(i.key)?289+ +i.key.slice(1):vE[i.key]??(i.key.length===1?i.key.toUpperCase().charCodeAt(0):-1)}function ME(i){document.addEventListener("keydown",t=>{t.target.matches?.("input[type=number], input[type=text], textarea, select")||t.target.matches?.("input[type=range]")&&t.key.startsWith("Arrow")||t.metaKey||(i.live&&i.state?.passive&&!t.repeat&&i.send({do:"pressed",key:xE(t)}),SE(i,t)&&t.preventDefault())})}function SE(i,t){const{toolbar:e,send:n}=i;if(t.ctrlKey||t.altKey)return!1;if(i.right.widgets.steer(t))return!0;switch(t.key){case" ":return e.toggle(),!0;case"ArrowRight":return n({do:"step",n:1}),!0;case"ArrowLeft":return n({do:"step",n:-1}),!0;case"Backspace":return n({do:"reset"}),!0;case"-":return e.change_speed(1),!0;case"=":case"+":return e.change_speed(-1),!0;case"Escape":return i.help.toggle(!1),i.look_through(-1),!0;case"[":return e.next_camera(-1),!0;case"]":return e.next_camera(1),!0;case"Tab":return i.fold(t.shiftKey?"right":"left"),!0;case"F1":case"?":return i.help.toggle(),!0}const s=/^Digit([0-5])$/.exec(t.code);return s&&i.live?(i.left.groups[t.shiftKey?1:0][+s[1]].click(),!0):i.left.key(t.key.length===1?t.key.toUpperCase():t.key,i.drawing,i)}class yE{constructor(t){this.live=!Ro.find(),this.send=r=>this.source.send(r),this.canvas=tt("canvas",{id:"view",tabindex:"0"}),t.append(this.canvas),this.drawing=new kM(this.canvas),this.view=new YM,this.mouse=new KM(this.canvas,this.view,this),this.capture=new _E(this),this.left=new rE(this),this.right=new aE(this),this.toolbar=new uE(this),this.notices=new hE,this.help=new dE,this.overlay=new pE,t.append(this.left.node,this.right.node,this.toolbar.top,this.toolbar.bottom,this.overlay.node,this.notices.node,this.help.node),this.live||document.body.classList.add("recorded");const e=new URLSearchParams(location.search);for(const r of["bare","no-left","no-right"])e.has(r)&&document.body.classList.add(r);this.narrow()&&document.body.classList.add("no-left","no-right"),ME(this),this.drops(),new ResizeObserver(()=>this.resize()).observe(this.canvas);const n=(r,a)=>this.receive(r,a);this.source=this.live?new oE(n,(r,a)=>this.connected(r,a)):new Ro(n),this.drawn=0;const s=r=>{this.draw(r),requestAnimationFrame(s)};requestAnimationFrame(s)}narrow(){return matchMedia("(max-width: 760px)").matches}fold(t){const{classList:e}=document.body;!e.toggle(`no-${t}`)&&this.narrow()&&e.add(t==="left"?"no-right":"no-left")}connected(t,e){this.toolbar.connected(t,e),t&&this.resize()}receive(t,e){switch(ld(t)){case 1:return this.set_model(Qp(t));case 2:return this.set_state(ur(t));case 3:return this.drawing.set_style(cd(t));case 5:return this.notices.set(ur(t));case 6:return this.overlay.set(ur(t));case 7:return this.set_keys(ur(t));case 8:return this.right.widgets.set(ur(t));case 4:this.pending&&this.live&&this.send({do:"drawn"}),this.pending=em(t),e&&(this.pending.numbers[4]=[...e,this.source.running?this.source.speed:0])}}set_model(t){const e=!this.model;this.model=t,document.title=`${t.name.split(/[\\/]/).pop()||"Sinew"} – Sinew`,this.pending=null,this.drawing.set_model(t),this.view.set_model(t),this.right.set_model(t),this.toolbar.set_model(t),e&&document.body.classList.add("ready")}set_keys(t){this.toolbar.set_keys(t),this.right.keyframes.set(t)}set_state(t){const e=this.wants_track&&t.selected;this.state=t,this.view.adopt(t.camera),e&&(Object.assign(this.view.is,{type:Lc,trackbodyid:t.selected}),this.wants_track=!1,this.looked()),this.left.set_state(t),this.right.physics.set_state(t),this.toolbar.set_state(t),this.dirty=!0}draw(t){if(!this.model)return;const e=this.pending;e&&(this.pending=null,this.drawing.set_frame(e)&&(this.frame=e,this.drawn+=1,this.view.poses=e.numbers[5],this.view.is.type===Lc&&e.numbers[6]&&(this.view.is.lookat=[...e.numbers[6]]),this.right.set_frame(e),this.toolbar.set_frame(e)),this.dirty=!0),this.right.draw(t),this.dirty&&this.frame&&(this.dirty=!1,this.drawing.render(this.view.update())),e&&this.live&&this.send({do:"drawn"})}looked(){this.dirty=!0,this.toolbar.set_camera(this.view.is),!(!this.live||this.telling)&&(this.telling=setTimeout(()=>{this.telling=null;const{version:t,...e}=this.view.is;this.send({do:"look",camera:e})},60))}look_through(t){const{is:e}=this.view;t<0?(e.type===ga&&this.view.leave_fixed(),e.type=bs):Object.assign(e,{type:ga,fixedcamid:t}),this.looked()}focus(t,e){if(e&&this.live){this.wants_track=!0,this.send({do:"select",...t});return}const n=this.drawing.pick(this.view.update(),2*t.x-1,2*t.y-1);n&&(this.view.leave_fixed(),this.view.is.type=bs,this.view.is.lookat=n,this.looked())}resize(){const{clientWidth:t,clientHeight:e}=this.canvas;!t||!e||(this.drawing.resize(t,e,Math.min(devicePixelRatio,2)),this.view.aspect=t/e,this.dirty=!0,this.live&&this.send({do:"size",width:t,height:e}))}drops(){const t=e=>document.body.classList.toggle("dropping",e);document.addEventListener("dragover",e=>{e.preventDefault(),t(!0)}),document.addEventListener("dragleave",e=>{e.relatedTarget||t(!1)}),document.addEventListener("drop",e=>{e.preventDefault(),t(!1),this.live&&e.dataTransfer.files.length&&this.drop([...e.dataTransfer.files])})}drop(t){return this.source.drop(t).catch(e=>{this.notices.set({title:"Nothing was loaded",list:[{error:!0,code:"drop",message:e.message}]})})}}window.sinew=new yE(document.getElementById("app"));

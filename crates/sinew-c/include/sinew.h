/* Sinew from C and C++: load a model, step it, read and write every field by MuJoCo's names.
 *
 * Handles belong to the caller, who frees each once. A model may be shared by threads that only read it; a
 * data belongs to one thread at a time. Functions that fail return NULL or -1 and leave the reason in
 * sinew_last_error() of the same thread. NULL handles, handles of the wrong kind and names that do not exist
 * are such failures; a handle that was freed must not be used.
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

/* Kinds of numbers in a field. */
enum {
  SINEW_F64 = 0,
  SINEW_F32 = 1,
  SINEW_I32 = 2,
  SINEW_I64 = 3,
  SINEW_U64 = 4,
  SINEW_U8 = 5,
  SINEW_CHAR = 6
};

/* The memory of a field: rows x cols numbers of a kind, row by row. Arrays whose size the model determines
 * stay where they are while the handle lives; lists such as efc_J until the next call with the handle. */
typedef struct SinewField {
  void *data;
  size_t rows;
  size_t cols;
  int32_t kind;
} SinewField;

/* The version of the library, as in "0.1.0". */
const char *sinew_version(void);
/* Why the last call of this thread failed; empty if none has. Valid until the next failure. */
const char *sinew_last_error(void);

/* Loads an MJCF, URDF (.xml, .urdf) or binary (.mjb) file. */
SinewModel *sinew_load_file(const char *path);
/* Loads a model from a text. */
SinewModel *sinew_load_string(const char *xml);
/* Writes a binary model file, which MuJoCo reads too. */
int sinew_save_binary(const SinewModel *model, const char *path);
/* Frees a model; NULL is nothing. */
void sinew_model_free(SinewModel *model);

/* A new state of a model. */
SinewData *sinew_data_new(const SinewModel *model);
/* A copy of a state: branches a simulation. */
SinewData *sinew_data_copy(const SinewData *data);
/* Frees a state; NULL is nothing. */
void sinew_data_free(SinewData *data);

/* Advances by a number of steps. */
int sinew_step(const SinewModel *model, SinewData *data, int count);
/* Forward dynamics: everything that follows from the state, without advancing it. */
int sinew_forward(const SinewModel *model, SinewData *data);
/* Back to the first state. */
int sinew_reset(const SinewModel *model, SinewData *data);
/* To a keyframe, by number. */
int sinew_reset_keyframe(const SinewModel *model, SinewData *data, int key);

/* Simulation time in seconds; not a number for a bad handle. */
double sinew_time(const SinewData *data);
/* A size such as "nq" or "nbody"; -1 if there is none of that name. */
int64_t sinew_size(const SinewModel *model, const char *name);
/* The number of an object of a kind ("body", "joint", "geom", "site", "actuator", ...); -1 if there is none. */
int sinew_name2id(const SinewModel *model, const char *kind, const char *name);
/* The name of an object; NULL if it has none. Valid while the model lives. */
const char *sinew_id2name(const SinewModel *model, const char *kind, int id);

/* How many numbers the parts of a state have; signature as MuJoCo's mjtState bits. */
int64_t sinew_state_size(const SinewModel *model, int signature);
/* Copies parts of the state to `out`, which has room for `size` numbers. */
int sinew_get_state(const SinewModel *model, const SinewData *data, double *out, size_t size, int signature);
/* Sets parts of the state from `in`. */
int sinew_set_state(const SinewModel *model, SinewData *data, const double *in, size_t size, int signature);

/* The memory of a field of the model, such as "body_mass", or of an option, such as "opt.timestep". */
int sinew_model_field(SinewModel *model, const char *name, SinewField *out);
/* The memory of a field of the state, such as "qpos" or "xpos". */
int sinew_data_field(SinewData *data, const char *name, SinewField *out);

/* What will probably go wrong with a model, one finding on a line; empty if nothing. Free with
 * sinew_string_free. */
char *sinew_check(const SinewModel *model);
/* Frees a text that the library made; NULL is nothing. */
void sinew_string_free(char *text);

#ifdef __cplusplus
}
#endif

#endif

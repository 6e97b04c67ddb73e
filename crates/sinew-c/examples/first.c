/* A pendulum in C: load, set a field, step, read fields by name. */
#include <stdio.h>
#include <string.h>

#include "sinew.h"

static const char *XML =
    "<mujoco><option timestep='0.001'/><worldbody>"
    "<body name='bob' pos='0 0 1'><joint name='hinge' axis='0 1 0'/>"
    "<geom type='capsule' fromto='0 0 0 0.5 0 0' size='0.02'/></body>"
    "</worldbody></mujoco>";

int main(void) {
  SinewModel *model = sinew_load_string(XML);
  if (!model) {
    fprintf(stderr, "%s\n", sinew_last_error());
    return 1;
  }
  SinewData *data = sinew_data_new(model);

  /* fields are memory: write the velocity, read the positions */
  SinewField qvel, xipos;
  sinew_data_field(data, "qvel", &qvel);
  ((double *)qvel.data)[0] = -1.0;
  sinew_step(model, data, 500);
  sinew_data_field(data, "xipos", &xipos);
  int bob = sinew_name2id(model, "body", "bob");
  const double *at = (const double *)xipos.data + 3 * bob;
  printf("sinew %s: after %.3f s the centre of '%s' is at %.6f %.6f %.6f\n", sinew_version(),
         sinew_time(data), sinew_id2name(model, "body", bob), at[0], at[1], at[2]);

  /* misuse is an error with a reason, not a crash */
  if (sinew_step(NULL, data, 1) != -1 || !strstr(sinew_last_error(), "NULL")) return 2;
  if (sinew_step((const SinewModel *)data, data, 1) != -1) return 3;
  if (sinew_load_string("<mujoco><worldbody><geom siz='1'/></worldbody></mujoco>")) return 4;
  printf("%s\n", sinew_last_error());

  sinew_data_free(data);
  sinew_model_free(model);
  return 0;
}

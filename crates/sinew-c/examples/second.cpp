// A falling ball in C++: handles that free themselves, states that are saved and restored.
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sinew.h"

struct Free {
  void operator()(SinewModel *model) const { sinew_model_free(model); }
  void operator()(SinewData *data) const { sinew_data_free(data); }
};
using Model = std::unique_ptr<SinewModel, Free>;
using Data = std::unique_ptr<SinewData, Free>;

static Model load(const char *xml) {
  Model model(sinew_load_string(xml));
  if (!model) throw std::runtime_error(sinew_last_error());
  return model;
}

static double *field(const Data &data, const char *name) {
  SinewField found;
  if (sinew_data_field(data.get(), name, &found) != 0 || found.kind != SINEW_F64) {
    throw std::runtime_error(sinew_last_error());
  }
  return static_cast<double *>(found.data);
}

int main() {
  try {
    Model model = load(
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/>"
        "<body pos='0 0 1'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>");
    Data data(sinew_data_new(model.get()));

    // the whole state, to come back to: mjSTATE_INTEGRATION
    const int integration = 8191;
    std::vector<double> start(sinew_state_size(model.get(), integration));
    sinew_get_state(model.get(), data.get(), start.data(), start.size(), integration);
    sinew_step(model.get(), data.get(), 1000);
    const double first = field(data, "qpos")[2];
    sinew_set_state(model.get(), data.get(), start.data(), start.size(), integration);
    sinew_step(model.get(), data.get(), 1000);
    const double second = field(data, "qpos")[2];
    std::printf("the ball rests at %.6f m, and again at %.6f m\n", first, second);

    // options are fields of the model
    SinewField gravity;
    sinew_model_field(model.get(), "opt.gravity", &gravity);
    static_cast<double *>(gravity.data)[2] = 0.0;
    return first == second && std::fabs(first - 0.1) < 0.01 ? 0 : 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

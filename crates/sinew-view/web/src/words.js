// Names of the elements of the view, with MuJoCo's keys.

// by the numbers of mjtVisFlag
export const FLAGS = [
  ['Convex hull', 'H'], ['Texture', 'X'], ['Joint', 'J'], ['Camera', 'Q'], ['Actuator', 'U'],
  ['Activation', ','], ['Light', 'Z'], ['Tendon', 'V'], ['Range finder', 'Y'], ['Equality', 'E'],
  ['Inertia', 'I'], ['Scaled inertia', "'"], ['Perturbation force', 'B'], ['Perturbed object', 'O'],
  ['Contact point', 'C'], ['Island', 'N'], ['Contact force', 'F'], ['Contact split', 'P'],
  ['Transparent', 'T'], ['Auto connect', 'A'], ['Centre of mass', 'M'], ['Selected point', ''],
  ['Static body', 'D'], ['Skin', ';'], ['Flex vertex', ''], ['Flex edge', ''], ['Flex face', ''],
  ['Flex skin', ''], ['Body tree', '`'], ['Mesh tree', '\\'], ['SDF iterations', ''],
];

// switches of the page itself
export const RENDERING = [
  ['shadow', 'Shadow', 'S'], ['reflection', 'Reflection', 'R'], ['skybox', 'Sky', 'K'],
  ['fog', 'Fog', 'G'], ['wireframe', 'Wireframe', 'W'],
];

export const GROUPS = ['Geom', 'Site', 'Joint', 'Tendon', 'Actuator', 'Flex', 'Skin'];

export const LABELS = ['None', 'Body', 'Joint', 'Geom', 'Site', 'Camera', 'Light', 'Tendon', 'Actuator',
  'Constraint', 'Flex', 'Skin', 'Selection', 'Selected point', 'Contact point', 'Contact force', 'Island'];

export const FRAMES = ['None', 'Body', 'Geom', 'Site', 'Camera', 'Light', 'Contact', 'World'];

export const SPEEDS = [4, 2, 1, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01];

export const HELP = [
  ['Mouse', [
    ['Left drag', 'turn the view'], ['Right drag', 'move the view'], ['Shift + right drag', 'move it level'],
    ['Wheel', 'nearer, farther'], ['Double click', 'select a body'],
    ['Ctrl + right double click', 'track a body'], ['Right double click', 'look at a point'],
    ['Ctrl + right drag', 'pull what is selected'], ['Ctrl + left drag', 'turn what is selected'],
    ['Hand tool, left drag', 'pull what is under the cursor'],
  ]],
  ['Fingers', [
    ['One finger', 'turns the view'], ['Two fingers', 'move and zoom it'], ['Double tap', 'select a body'],
    ['Hand tool, one finger', 'pull a body'],
  ]],
  ['Time', [
    ['Space', 'run, pause'], ['→', 'one step'], ['←', 'one state back'], ['Backspace', 'reset'],
    ['−  =', 'slower, faster'], ['↑ ↓ ← →, Enter', 'commands of a policy'],
  ]],
  ['View', [
    ['Esc', 'free camera'], ['[  ]', 'cameras of the model'], ['0 … 5', 'groups of geoms'],
    ['Shift 0 … 5', 'groups of sites'], ['Tab', 'left panel'], ['Shift Tab', 'right panel'],
    ['F1 or ?', 'this help'],
  ]],
];

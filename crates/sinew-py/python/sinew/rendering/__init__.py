"""Images of a model, under the names of MuJoCo 3.6 and later."""

"""`Renderer` and `GLContext`, under the names of MuJoCo 3.6 and later."""

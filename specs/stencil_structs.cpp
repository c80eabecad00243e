struct Particle {
  float mass, charge;
};

void stencil_structs(const Particle* x, Particle* y, int n) {
  for (int i = 0; i < n; i++) {
    Particle sum = {};
    for (int k = 0; k < 3; k++) {
      sum.mass += x[i + k].mass;
      sum.charge += x[i + k].charge;
    }
    y[i] = sum;
  }
}

#define WIDTH 64

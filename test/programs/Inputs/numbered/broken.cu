int main() { missing(); }

// Stands beside an SDK's headers without being one.
constexpr int of_the_machine = 3;

/** Loaded before a server: every SIGUSR2 puts its clock, and that of its embedded database, two minutes on. Timers keep their pace. */
const now = Date.now;
let ahead = 0;
Date.now = () => now() + ahead;
process.on('SIGUSR2', () => {
  ahead += 120_000;
});

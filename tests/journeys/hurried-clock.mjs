/** Loaded before a server: every message puts its clock, and that of its embedded database, two minutes forward. Timers keep their pace. */
const now = Date.now;
let ahead = 0;
Date.now = () => now() + ahead;
process.on('message', () => {
  ahead += 120_000;
});
// The channel alone keeps no server alive.
process.channel?.unref();

/** Loaded before a server: every message sets its clock, and that of its embedded database, two minutes forward. Timers are unaffected. */
const now = Date.now;
let ahead = 0;
Date.now = () => now() + ahead;
process.on('message', () => {
  ahead += 120_000;
});
// The channel must not keep the process alive.
process.channel?.unref();

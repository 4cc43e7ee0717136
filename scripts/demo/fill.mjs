/** Fills a new data directory with half a year of demo data. The server runs in this process with a simulated clock, so that every rule applies as on that day. */
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { Business } from './business.mjs';
import * as clock from './clock.mjs';
import { createCompany } from './create-company.mjs';

const root = resolve(import.meta.dirname, '../..');
const [, , target, scaleText = '1'] = process.argv;
const scale = Number(scaleText);
const log = (text) => console.log(`  ${text}`);
const began = performance.now();
const days = Math.max(20, Math.round(182 * Math.min(1, scale * 4)));

const filling = join(target, 'filling');
rmSync(filling, { recursive: true, force: true });
mkdirSync(filling, { recursive: true });

/** Ends with a digit, which the password policy requires. */
const password = process.env.ADMIN_PASSWORD || `Demo-${randomBytes(9).toString('base64url')}-${randomInt(10)}`;
const server = { address: '', stop: undefined };
clock.install();
const { startServer } = await import(pathToFileURL(resolve(root, process.env.DEMO_SERVER ?? 'dist/server/main.js')).href);
const random = randomFrom(20_260_101);
const business = new Business({
  company: undefined,
  clock,
  random,
  days,
  // Each task is open for some weeks at any scale: fewer tasks would leave days without any.
  tasks: Math.max(8, Math.round(40 * Math.sqrt(scale))),
  submissions: Math.round(3000 * scale),
  log,
});

clock.startAt(business.startOf(0) - 3 * 3_600_000);
await start();
log(`creating a company that started on ${new Date(business.startOf(0) + 12 * 3_600_000).toISOString().slice(0, 10)}`);
business.company = await createCompany(server, { adminPassword: password, password, workers: Math.max(8, Math.round(40 * Math.sqrt(scale))) });
await server.stop();
await linkWeChatAccounts();
await start();
for (let day = 0; day < days; day += 1) await business.simulateDay(day);
clock.moveTo(clock.realNow());
clock.runDueIntervals();
await business.company.close();
await server.stop();

// The database moves last, so that an interrupted run leaves a folder without one, which can be filled again.
for (const entry of [...readdirSync(filling).filter((name) => name !== 'database'), 'database']) renameSync(join(filling, entry), join(target, entry));
rmSync(filling, { recursive: true, force: true });
log(`${business.submitted} submissions over ${days} days in ${Math.round((performance.now() - began) / 1000)} s`);
console.log(
  `\n  account   admin · operator · auditor1 · cashier · finance\n  password  ${process.env.ADMIN_PASSWORD ? 'the value of ADMIN_PASSWORD' : `${password}   (shown only once)`}`,
);
process.exit(0);

async function start() {
  const environment = {
    ...process.env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_URL: '',
    PUBLIC_ADDRESS: '',
    DATA_DIR: filling,
    DATABASE_URL: '',
    CONSOLE_DIR: '',
    ADMIN_PASSWORD: password,
    CLIENT_SECRET: '',
    CAPTCHA_MODE: 'off',
    CAPTCHA_TEST_ANSWER: '',
    LOG_LEVEL: 'warn',
    // The demo adds its own announcements.
    SAMPLE_NOTIFICATIONS: 'off',
    TOKEN_RATE: '0',
    CAPTCHA_RATE: '0',
    CALL_RATE: '0',
  };
  Object.assign(server, await startServer(environment));
}

/** Links WeChat accounts directly in the database, because linking through the API needs WeChat. */
async function linkWeChatAccounts() {
  const database = join(filling, 'database', 'postgres');
  if (!existsSync(database)) throw new Error(`No database in ${database}.`);
  const engine = await PGlite.create({ dataDir: database });
  await engine.exec(`insert into user_oauth (tenant_id, source, uuid, name, user_id)
    select tenant_id, 'wechat_open', 'demo-' || account, name, id from user_account where account like 'worker%'`);
  await engine.close();
}

/** Creates a random number generator that returns the same sequence for the same seed. */
function randomFrom(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    /** Returns an integer between two limits, both included. */
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
    /** Picks an item of a list in proportion to its `weight`. */
    pickWeighted(list) {
      let at = next() * list.reduce((sum, { weight }) => sum + weight, 0);
      for (const item of list) {
        at -= item.weight;
        if (at < 0) return item;
      }
      return list.at(-1);
    },
    chance: (probability) => next() < probability,
  };
}

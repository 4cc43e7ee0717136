import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { given, hurry, inDatabase, PayingOffice } from './paying-office.ts';
import type { Client } from './product.ts';

/** Results of a payment run whose server was killed repeatedly. */
export interface KilledRun {
  readonly payouts: number;
  readonly kills: number;
  /** Kills while a request was at the provider. */
  readonly killsAtProvider: number;
  /** Bills of the provider beyond one for each payee, or with a number that no payout of the run has. */
  readonly paidTwice: number;
  readonly lost: number;
  /** Totals of the ledger, of the run and of the advertiser that are wrong. */
  readonly faults: readonly string[];
  /** Seconds that the total, the start and the approval of the run took, kills excluded, and those until everyone was paid, with all kills and restarts. */
  readonly seconds: { readonly total: number; readonly start: number; readonly approval: number; readonly payment: number };
  /** Largest resident memory of a server in bytes; undefined where the system does not tell. */
  readonly peakMemory: number | undefined;
}

const payPath = '/api/things-task/weixinpay';
const runPath = '/api/things-task/payment-run';
const totalAmount = 1_000_000;
const receipt = 10_000_000;

/** User with the roles and the password of the administrator, who approves what the administrator requests. */
const secondUser = `
  with made as (
    insert into user_account (tenant_id, account, password_hash, name, real_name) select tenant_id, 'checker', password_hash, '复核员', '复核员' from user_account where account = 'admin' returning id
  ) insert into user_role (tenant_id, user_id, role_id) select r.tenant_id, made.id, r.role_id from made, user_role r join user_account u on u.id = r.user_id where u.account = 'admin'`;

/** Approved work of as many payees for the only task, as their claims, proof and reviews would have left it. */
const workOf = (count: number, price: number) => `
  update task set quantity = ${count}, unit_price = ${price}, claimed = ${count}, submitted = ${count}, passed = ${count};
  insert into task_submission (tenant_id, task_id, task_title, user_id, nick_name, openid, deadline, amount, submit_time, audit_status, audit_time)
  select '000000', t.id, t.title, 1000000 + n, '小王' || n, 'wallet-' || n, now(), ${price}, now(), 1, now() - interval '2 minutes' from task t, generate_series(1, ${count}) n`;

/** Starts and approves one run of so many payouts, and kills the server with -9: while it starts the run, between start and approval, while it approves, and then while it pays. */
export async function killRun(payouts: number, kills: number): Promise<KilledRun> {
  const office = new PayingOffice();
  try {
    await office.open();
    const killer = new RunKiller(office);
    await killer.prepare(payouts);
    const decided = await killer.startAndApprove(payouts);
    const payment = await timed(async () => {
      await killer.pay(kills - 3);
      await killer.finish();
    });
    const seconds = { ...decided, payment };
    return { payouts, kills, killsAtProvider: killer.killsAtProvider, ...(await killer.outcome(payouts)), seconds, peakMemory: killer.peakMemory };
  } finally {
    await office.close();
  }
}

class RunKiller {
  killsAtProvider = 0;
  peakMemory: number | undefined;
  private advertiserId = '';
  private price = 0;
  private ids: string[] = [];
  private runId = '';

  constructor(private readonly office: PayingOffice) {}

  async prepare(count: number): Promise<void> {
    const { product } = this.office;
    this.price = totalAmount / count;
    await this.office.prepare(0);
    await product.stop();
    await inDatabase(product, `${secondUser}; ${workOf(count, this.price)}`);
    await product.start();
  }

  /** A user selects all pages of the pending payments, confirms their total and pays; another approves the run by its total. */
  async startAndApprove(count: number): Promise<Omit<KilledRun['seconds'], 'payment'>> {
    const expected = { count, amount: totalAmount };
    let admin = await this.office.product.signIn();
    const rows = await rowsOf(admin, `${payPath}/payable`);
    this.ids = rows.map(({ id }) => id);
    this.advertiserId = rows[0]?.advertiserId ?? '';
    expect(this.ids).toHaveLength(count);
    const total = await timed(async () => expect((await given(admin.post(`${payPath}/sum`, { ids: this.ids }))).data).toMatchObject(expected));
    const pay = (client: Client) => client.post(payPath, { ids: this.ids, partial: true, expected });
    await this.killDuring(pay(admin), 300);
    admin = await this.office.product.signIn();
    // The run has been started as a whole, or not at all.
    const left = await idsOf(admin, `${payPath}/payable`);
    expect([0, count]).toContain(left.length);
    const start = left.length > 0 ? await timed(async () => void (await given(pay(admin)))) : Number.NaN;

    await this.kill();
    const checker = await this.office.product.signIn('checker');
    const [run, ...others] = (await given(checker.get(`${runPath}/list`))).data.records;
    expect(others).toEqual([]);
    expect(run).toMatchObject({ state: 0, payouts: count, awaiting: count, people: count, amount: totalAmount });
    this.runId = run.id;
    expect(this.office.wechat.asked).toBe(0);
    expect((await given(checker.post(`${runPath}/total`, { id: run.id }))).data).toMatchObject(expected);
    const approve = (client: Client) => client.post(`${runPath}/approve`, { id: run.id, expected });
    await this.killDuring(approve(checker), 300);
    const again = await this.office.product.signIn('checker');
    const { awaiting } = (await given(again.get(`${runPath}/detail`, { id: run.id }))).data;
    expect([0, count]).toContain(awaiting);
    const approval = awaiting > 0 ? await timed(async () => void (await given(approve(again)))) : Number.NaN;
    return { total, start, approval };
  }

  /** Kills the server while it pays, at points that are spread over most of the run; after each restart the counters of the run add up, and none has gone back. */
  async pay(kills: number): Promise<void> {
    const { product, wechat } = this.office;
    let paidBefore = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const share = Math.floor((0.8 * this.ids.length * kill) / kills);
      await expect.poll(() => wechat.bills.size, { timeout: 600_000, intervals: [50] }).toBeGreaterThanOrEqual(share);
      const { asked } = wechat;
      await expect.poll(() => wechat.asked > asked, { timeout: 60_000, intervals: [1] }).toBe(true);
      this.killsAtProvider += 1;
      await wait(Math.random() * (kill % 3 === 0 ? 1000 : 60));
      if (kill % 3 === 1) wechat.troubles.push('dropped', undefined, 'fails');
      await this.stop();
      // Otherwise the requests in progress at the kill would be queried half a minute later.
      if (kill % 2 === 0) await inDatabase(product, hurry);
      await product.start();
      const client = await product.signIn();
      const { awaiting, processing, paid, failed, refused, payouts } = await this.run(client);
      expect(awaiting + processing + paid + failed + refused).toBe(payouts);
      expect(paid).toBeLessThanOrEqual(wechat.bills.size);
      expect(paid).toBeGreaterThanOrEqual(paidBefore);
      paidBefore = paid;
    }
    wechat.troubles.length = 0;
    await this.stop('SIGTERM');
    await inDatabase(product, hurry);
    await product.start();
  }

  /** Waits until everyone is paid. */
  async finish(): Promise<void> {
    const client = await this.office.product.signIn();
    await expect.poll(async () => (await this.run(client)).state, { timeout: 3_600_000, intervals: [1000] }).toBe(2);
    this.measure();
  }

  async outcome(count: number): Promise<Pick<KilledRun, 'paidTwice' | 'lost' | 'faults'>> {
    const { product, wechat } = this.office;
    const client = await product.signIn();
    const bills = [...wechat.bills.values()].filter(({ paidOut }) => paidOut === this.price);
    const payees = new Set(bills.map(({ openid }) => openid));
    const numbers = new Set((await rowsOf(client, `${payPath}/list`)).map(({ payNo }) => payNo));
    const { data: mismatches } = await given(client.get('/api/things-task/ledger/check'));
    const { data: funds } = await given(client.get('/api/things-task/ledger/funds', { advertiserId: this.advertiserId }));
    const differing = (found: Record<string, unknown>, wanted: Record<string, unknown>) =>
      Object.entries(wanted).flatMap(([name, value]) => (found[name] === value ? [] : [`${name}: ${found[name]}, not ${value}`]));
    return {
      paidTwice: bills.length - payees.size + bills.filter(({ out_bill_no }) => !numbers.has(out_bill_no)).length,
      lost: count - payees.size,
      faults: [
        ...mismatches.map((one: object) => JSON.stringify(one)),
        ...differing(await this.run(client), { payouts: count, paid: count, awaiting: 0, processing: 0, failed: 0, refused: 0, paidAmount: totalAmount }),
        ...differing(funds, { balance: receipt - totalAmount, reserved: 0, owed: 0, inTransit: 0, paid: totalAmount }),
      ],
    };
  }

  private async run(client: Client) {
    return (await given(client.get(`${runPath}/detail`, { id: this.runId }))).data;
  }

  /** Kills the server at a random time of a request, and starts it again. */
  private async killDuring(request: Promise<unknown>, withinMs: number): Promise<void> {
    const ended = request.catch(() => undefined);
    await wait(Math.random() * withinMs);
    await this.kill();
    await ended;
  }

  private async kill(): Promise<void> {
    await this.stop();
    await this.office.product.start();
  }

  private async stop(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.measure();
    await this.office.product.stop(signal);
  }

  private measure(): void {
    const path = `/proc/${this.office.product.pid}/status`;
    const [, kilobytes] = (existsSync(path) && /VmHWM:\s+(\d+) kB/.exec(readFileSync(path, 'utf8'))) || [];
    if (kilobytes) this.peakMemory = Math.max(this.peakMemory ?? 0, Number(kilobytes) * 1024);
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

async function rowsOf(client: Client, path: string): Promise<{ id: string; payNo: string; advertiserId: string }[]> {
  const found = [];
  for (let current = 1; ; current += 1) {
    const { data } = await given(client.get(path, { current, size: 200 }));
    found.push(...data.records);
    if (data.records.length < 200) return found;
  }
}

const idsOf = async (client: Client, path: string) => (await rowsOf(client, path)).map(({ id }) => id);

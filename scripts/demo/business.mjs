import { setTimeout as pause } from 'node:timers/promises';
import { categories, products, rejectionReasons } from './company.mjs';
import { pictureOf } from './pictures.mjs';

const task = '/api/things-task/task';
const claim = '/api/things-task/claim';
const pay = '/api/things-task/weixinpay';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const batchSize = 100;
const pageSize = 200;
/** Number of tasks that are unpublished in the end, half of them drafts. */
const unpublished = 4;
const absenceRates = { auditor1: 0.1, auditor2: 0.15, auditor3: 0.5 };
const maxPolls = 500;
/** Price of a submission for an advertiser in yuan, fees included. */
const averagePrice = 20;

/** Simulates the business of the company day by day: it grows, and rests at weekends. Every action goes through the API at its simulated time. */
export class Business {
  #open = [];
  #createdTasks = 0;
  /** Number of submissions so far. */
  submitted = 0;
  /** Advertisers by the ids of their tasks. */
  #advertisers = new Map();

  constructor({ company, clock, random, days, tasks, submissions, log }) {
    Object.assign(this, { company, clock, random, days, tasks, submissions, log });
    const weights = Array.from(
      { length: days },
      (_, day) => (0.55 + (0.9 * day) / days) * ([0, 6].includes(this.#weekday(day)) ? 0.55 : 1) * (0.8 + 0.4 * random.next()),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    let carried = 0;
    this.quota = weights.map((weight) => {
      carried += (weight / sum) * submissions;
      const count = Math.round(carried);
      carried -= count;
      return count;
    });
  }

  /** Returns the start of a day (midnight), counted so that the last day is today. */
  startOf(day) {
    const today = Math.floor((this.clock.realNow() + 8 * hourMs) / dayMs) * dayMs - 8 * hourMs;
    return today - (this.days - 1 - day) * dayMs;
  }

  #weekday(day) {
    return new Date(this.startOf(day) + 12 * hourMs).getUTCDay();
  }

  async simulateDay(day) {
    const at = (hours) => this.clock.moveTo(Math.min(this.startOf(day) + hours * hourMs, this.clock.realNow() - 1000));
    const isToday = day === this.days - 1;
    at(8);
    this.clock.runDueIntervals();
    await this.#recordDeposits(day);
    await this.#publishTasks(day);
    const morning = Math.round(this.quota[day] * 0.4);
    await this.#work(at, morning, 8.5, 12.5);
    at(13.5);
    if (!isToday) await this.#audit(day, ['auditor1']);
    if ([2, 5].includes(this.#weekday(day)) && !isToday) await this.#pay();
    await this.#work(at, this.quota[day] - morning, 15, 21.3);
    at(22);
    if (day < this.days - 2) await this.#audit(day, ['auditor2', 'auditor3']);
  }

  /** Records the advertisers' deposits at the beginning of each month, somewhat above the cost of their tasks; the last one is late at the end. */
  async #recordDeposits(day) {
    if (day % 30 !== 0) return;
    const { advertisers } = this.company.baseData;
    const monthly = (this.submissions * averagePrice) / Math.ceil(this.days / 30);
    const shares = advertisers.reduce((sum, { weight }) => sum + weight, 0);
    for (const { id, weight } of day + 40 > this.days ? advertisers.slice(0, -1) : advertisers)
      await this.company.staff.cashier.post('/api/things-task/ledger/submit', {
        advertiserId: id,
        amount: Math.ceil((monthly * weight) / shares / 10) * 1000,
        remark: '预付款',
      });
  }

  /** Records another deposit if the advertiser's money does not cover a task that is about to be published. */
  async #coverCost(id) {
    const { operator, cashier } = this.company.staff;
    const { shares } = await operator.post(`${task}/publication-plan`, { ids: [id] });
    const [{ advertiserId, isRefused, cost }] = shares;
    if (!isRefused) return;
    await cashier.post('/api/things-task/ledger/submit', { advertiserId, amount: Math.ceil(cost / 100_000) * 100_000, remark: '追加预付款' });
  }

  /** Publishes new tasks, so that there is enough work, and drops finished ones. */
  async #publishTasks(day) {
    const start = this.startOf(day);
    this.#open = this.#open.filter(({ left, until }) => left > 0 && until > start + dayMs);
    const due = Math.ceil(((day + 12) / (this.days + 6)) * this.tasks);
    while (this.#createdTasks < Math.min(due, this.tasks)) await this.#add(start);
  }

  async #add(start) {
    const { random, company } = this;
    const { baseData, staff } = company;
    const place = this.#createdTasks++;
    const [advertiser, platform, category, grade] = [
      random.pickWeighted(baseData.advertisers),
      random.pickWeighted(baseData.platforms),
      random.pickWeighted(baseData.categories),
      random.pick(baseData.grades),
    ];
    const spread = random.next();
    const chosen = spread < 0.3 ? [] : spread < 0.75 ? [random.pick(baseData.cities)] : baseData.cities.slice(0, 3);
    const { verb, requirements } = categories.find(({ name }) => name === category.name);
    const until = start + random.integer(35, 80) * dayMs - 1000;
    // Enough places for all submissions, although some tasks are never published.
    const quantity = Math.round((this.submissions / (this.tasks - unpublished)) * (1.3 + random.next() * 1.6));
    const isDraft = place >= this.tasks - unpublished / 2;
    const { id } = await staff.operator.post(`${task}/submit`, {
      title: `${advertiser.short_name}「${random.pick(products)}」${verb}`,
      requirement: requirements,
      steps: '1. 领取任务\n2. 按要求完成并发布\n3. 提交链接与截图',
      unitPrice: random.integer(...grade.price.map((price) => price / 50)) * 50,
      quantity,
      perUserLimit: 0,
      advertiserId: advertiser.id,
      platformId: platform.id,
      categoryId: category.id,
      gradeId: grade.id,
      cityIds: chosen.map((city) => city.id),
      resourceIds: [baseData.material[place % baseData.material.length]],
      endTime: wireTime(until),
      draft: isDraft ? 1 : 0,
    });
    this.#advertisers.set(id, advertiser.id);
    const waits = place >= this.tasks - unpublished;
    if (isDraft || waits) return;
    await this.#coverCost(id);
    await staff.operator.post(`${task}/publish`, { ids: [id] });
    this.#open.push({ id, until, left: quantity, platform, title: `${advertiser.short_name} ${verb}` });
  }

  /** Lets members do several tasks in a row between two hours, until the number of submissions is reached or no task is open. */
  async #work(at, count, from, to) {
    const { random } = this;
    const sessions = [];
    for (let left = count; left > 0; left -= sessions.at(-1).size)
      sessions.push({ moment: from + random.next() * (to - from), size: Math.min(left, random.integer(5, 12)) });
    for (const { moment, size } of sessions.sort((one, other) => one.moment - other.moment)) {
      at(moment);
      await this.#workSession(random.pickWeighted(this.company.members).caller, size, () => at(moment + 0.1 + random.next() * 0.4));
    }
  }

  /** Lets one member claim places, do the work and submit it. */
  async #workSession(caller, size, later) {
    const { random } = this;
    const claims = [];
    while (claims.length < size) {
      this.#open = this.#open.filter(({ left }) => left > 0);
      const chosen = random.pick(this.#open);
      if (!chosen) break;
      const { id } = await caller.post(`${claim}/claim`, { taskId: chosen.id });
      // Some members cancel their claim.
      if (random.chance(0.03)) {
        await caller.post(`${claim}/give-up`, { id });
        continue;
      }
      const number = this.submitted++;
      chosen.left -= 1;
      claims.push({ id, number, chosen, picture: pictureOf(number, chosen.title) });
    }
    later();
    for (const { id, number, chosen, picture } of claims) {
      const { link: image } = await caller.upload('/api/file/uploadFile', `proof-${number}.png`, await picture);
      // A few submissions repeat an earlier proof.
      const link = `${chosen.platform.link}${7_000_000 + (random.chance(0.01) ? Math.max(0, number - 3) : number)}`;
      await caller.post(`${claim}/submit`, { id, link, images: [image], platformAccount: `@${1000 + number}`, content: '已按要求完成' });
      if ((number + 1) % 250 === 0) this.log(`${number + 1} of ${this.submissions} submissions`);
    }
  }

  async #audit(day, accounts) {
    const { random, company, clock } = this;
    for (const account of accounts) {
      // Members are absent on some days, some more often than others.
      if (random.chance(absenceRates[account]) && day < this.days - 3) continue;
      const auditor = company.staff[account];
      const items = await auditor.post(`${task}/audit/take`, { size: account === 'auditor1' ? 18 : 14 });
      const bad = items.filter(() => random.chance(0.08)).map(({ id }) => id);
      const good = items.map(({ id }) => id).filter((id) => !bad.includes(id));
      clock.moveTo(Date.now() + 12 * 60_000);
      if (good.length > 0) await auditor.post(`${task}/doAudit`, { ids: good, status: 1 });
      if (bad.length > 0) await auditor.post(`${task}/doAudit`, { ids: bad, status: 2, reason: random.pick(rejectionReasons) });
    }
  }

  /** Pays approved submissions twice a week, as far as the advertisers' balance allows; sums above the limit are approved by a second person. */
  async #pay() {
    const { cashier, finance } = this.company.staff;
    const { records: advertisers } = await cashier.get('/api/oms-system/base/advertiserlist', { size: '100' });
    const balances = new Map(advertisers.map(({ id, balance }) => [id, Number(balance)]));
    const affordable = (await this.#payable()).filter(({ taskId, amount }) => {
      const advertiser = this.#advertisers.get(taskId);
      const left = balances.get(advertiser) - Number(amount);
      if (Number.isNaN(left)) throw new Error(`The cashier does not see the balance of ${advertiser}.`);
      if (left >= 0) balances.set(advertiser, left);
      return left >= 0;
    });
    for (let from = 0; from < affordable.length; from += batchSize) {
      const { state, payouts } = await cashier.post(pay, { ids: affordable.slice(from, from + batchSize).map(({ id }) => id) });
      if (state !== 0) continue;
      this.clock.moveTo(Date.now() + 25 * 60_000);
      await finance.post(`${pay}/approve`, { ids: await this.#payoutIds(payouts) });
    }
    if (affordable.length > 0) await this.#awaitResults();
  }

  /** Returns all payable submissions, oldest approval first. */
  async #payable() {
    const owed = [];
    for (let current = 1; ; current += 1) {
      const { records } = await this.company.staff.cashier.get(`${pay}/payable`, { current: String(current), size: String(pageSize), ascs: 'audit_time' });
      owed.push(...records);
      if (records.length < pageSize) return owed;
    }
  }

  /** Waits until the provider has reported the result of every payment. */
  async #awaitResults() {
    for (let round = 0; round < maxPolls; round += 1) {
      this.clock.moveTo(Date.now() + 20_000);
      this.clock.runDueIntervals();
      await pause(5);
      const { total } = await this.company.staff.cashier.get(`${pay}/list`, { size: '10', state: '1' });
      if (Number(total) === 0) return;
    }
    throw new Error('Some payments have no result.');
  }

  /** Returns the ids of pending payouts by their payment numbers. */
  async #payoutIds(payouts) {
    const { records } = await this.company.staff.finance.get(`${pay}/list`, { size: '200', state: '0' });
    const numbers = new Set(payouts.map(({ payNo }) => payNo));
    return records.filter(({ payNo }) => numbers.has(payNo)).map(({ id }) => id);
  }
}

/** Formats a time as on the wire, in UTC+8. */
const wireTime = (moment) => new Date(moment + 8 * hourMs).toISOString().slice(0, 19).replace('T', ' ');

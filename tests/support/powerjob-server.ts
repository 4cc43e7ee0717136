import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Fault of the next request, or of the next one with a path. */
export type Trouble = 'hangs' | 'dropped' | 'done and dropped' | 'html' | 'fails' | 'empty' | 'trickles' | { readonly code?: number; readonly message: string };

type Fields = Record<string, unknown>;

const enums: Readonly<Record<string, Record<string, number>>> = {
  timeExpressionType: { API: 1, CRON: 2, FIXED_RATE: 3, FIXED_DELAY: 4, WORKFLOW: 5, DAILY_TIME_INTERVAL: 11 },
  executeType: { STANDALONE: 1, BROADCAST: 2, MAP_REDUCE: 3, MAP: 4 },
  processorType: { BUILT_IN: 1, SHELL: 2, PYTHON: 3, EXTERNAL: 4 },
  dispatchStrategy: { HEALTH_FIRST: 1, RANDOM: 2, SPECIFY: 11 },
};
const known = ['/saveJob', '/fetchJob', '/fetchAllJob', '/queryJob', '/enableJob', '/disableJob', '/deleteJob', '/runJob'].concat([
  '/stopInstance',
  '/cancelInstance',
  '/retryInstance',
  '/fetchInstanceStatus',
  '/fetchInstanceInfo',
  '/queryInstance',
]);

/** PowerJob server with its published OpenAPI on this machine: both sign-in methods, enums by name in requests and by number in replies, run ids above 2⁵³. */
export class PowerJobServer {
  readonly jobs = new Map<number, Fields>();
  readonly runs = new Map<string, Fields>();
  /** All requests, in order. */
  readonly asked: { readonly path: string; readonly body: Fields }[] = [];
  /** True to require a token (`oms.auth.openapi.enable`). */
  asksForToken = false;
  /** Faults by path; the next request of the path uses up the first. */
  readonly troubles = new Map<string, Trouble[]>();
  readonly appName = 'shop';
  password = 'its-password';
  readonly appId = 7;
  private token = '';
  private lastJob = 100;
  private lastRun = 607_128_282_938_388_544n;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<this> {
    await new Promise<void>((ready) => this.server.listen(0, '127.0.0.1', ready));
    return this;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  trouble(path: string, ...troubles: Trouble[]): void {
    this.troubles.set(path, troubles);
  }

  /** Invalidates all tokens, like a restart. */
  revokeToken(): void {
    this.token = '';
  }

  paths(): string[] {
    return this.asked.map(({ path }) => path);
  }

  /** Adds or changes a job as in PowerJob's own console. */
  put(fields: Fields): number {
    const id = (fields.id as number | undefined) ?? ++this.lastJob;
    const usual = { jobParams: '', jobDescription: '', timeExpressionType: 1, timeExpression: null, executeType: 1, processorType: 1, dispatchStrategy: 1 };
    const limits = {
      maxInstanceNum: 0,
      concurrency: 5,
      instanceTimeLimit: 0,
      instanceRetryNum: 0,
      taskRetryNum: 0,
      minCpuCores: 0,
      minMemorySpace: 0,
      minDiskSpace: 0,
      maxWorkerCount: 0,
    };
    const rest = { designatedWorkers: '', notifyUserIds: '', extra: '', lifecycle: '{}', alarmConfig: null, logConfig: null, status: 1 };
    this.jobs.set(id, { ...usual, ...limits, ...rest, processorInfo: 'com.shop.Sweep', ...this.jobs.get(id), ...fields, id, appId: this.appId });
    return id;
  }

  /** Advances a run. */
  move(instanceId: string, fields: Fields): void {
    this.runs.set(instanceId, { ...this.runs.get(instanceId), ...fields, gmtModified: Date.now() });
  }

  /** Fires a schedule of the server's own. */
  fire(jobId: number, fields: Fields = {}): string {
    const id = String(++this.lastRun);
    const now = Date.now();
    const run = {
      jobId,
      appId: this.appId,
      instanceId: id,
      status: 1,
      type: 1,
      instanceParams: null,
      jobParams: null,
      expectedTriggerTime: now,
      runningTimes: 1,
    };
    this.runs.set(id, { ...run, actualTriggerTime: null, finishedTime: null, result: null, taskTrackerAddress: null, gmtModified: now, ...fields });
    return id;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request) text += part;
    const path = (request.url ?? '').replace(/^\/openApi/, '');
    const isJson = request.headers['content-type']?.startsWith('application/json');
    const body: Fields = isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
    this.asked.push({ path, body });
    const trouble = this.troubles.get(path)?.shift();
    if (trouble === 'hangs') return;
    if (trouble === 'dropped') return void request.socket.destroy();
    if (trouble === 'html') return void response.end('<html>502 Bad Gateway</html>');
    if (trouble === 'empty') return void response.end();
    if (trouble === 'fails') return void response.writeHead(500).end('{"status":500}');
    if (trouble === 'trickles') {
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
      return;
    }
    const isAdmitted = this.isAdmitted(path, request);
    const reply = typeof trouble === 'object' ? { success: false, data: null, ...trouble } : this.replyTo(path, body, isAdmitted);
    if (trouble === 'done and dropped') return void request.socket.destroy();
    if (this.asksForToken && isAdmitted) response.setHeader('X-POWERJOB-AUTH-PASSED', 'true');
    response.setHeader('content-type', 'application/json');
    // Run ids are numbers of eighteen digits, which JSON.stringify cannot write.
    response.end(JSON.stringify(reply).replaceAll(/"(\d{18})"/g, '$1'));
  }

  private isAdmitted(path: string, request: IncomingMessage): boolean {
    if (!this.asksForToken || path === '/authApp') return true;
    return this.token !== '' && request.headers['x-powerjob-access-token'] === this.token && request.headers['x-powerjob-app-id'] === String(this.appId);
  }

  private replyTo(path: string, body: Fields, isAdmitted: boolean): Fields {
    const no = (message: string, code?: number) => ({ success: false, data: null, message, ...(code ? { code } : {}) });
    const yes = (data: unknown) => ({ success: true, data, message: null });
    if (!isAdmitted) return no('TokenInvalid', -401);
    if (path === '/assert') {
      if (body.appName !== this.appName) return no(`can't find app by appName: ${body.appName}`);
      return body.password === this.password ? yes(this.appId) : no('password error!');
    }
    if (path === '/authApp') {
      if (body.appName !== this.appName) return no('app not exist', -402);
      const sent = body.encryptType === 'md5' ? createHash('md5').update(this.password).digest('hex') : this.password;
      if (body.encryptedPassword !== sent) return no('password incorrect', -400);
      this.token = randomBytes(16).toString('hex');
      return yes({ appId: this.appId, token: this.token });
    }
    if (!known.includes(path)) return no(`no such call: ${path}`, -300);
    const appId = Number(body.appId ?? body.appIdEq);
    if (appId !== this.appId) return no('Permission Denied!');
    return path.includes('nstance') ? this.ofRuns(path, body, { yes, no }) : this.ofJobs(path, body, { yes, no });
  }

  private ofJobs(path: string, body: Fields, { yes, no }: { yes: (data: unknown) => Fields; no: (message: string) => Fields }): Fields {
    const live = [...this.jobs.values()].filter(({ status }) => status !== 99);
    if (path === '/fetchAllJob') return yes([...this.jobs.values()]);
    if (path === '/queryJob') return yes(live.filter(({ jobName }) => String(jobName).includes(String(body.jobNameLike ?? ''))));
    if (path === '/saveJob') return this.save(body, { yes, no });
    const job = this.jobs.get(Number(body.jobId));
    if (!job) return no(`can't find job by jobId:${body.jobId}`);
    const id = Number(body.jobId);
    if (path === '/fetchJob') return yes(job);
    if (path === '/runJob') return yes(this.fire(id, { instanceParams: body.instanceParams ?? null }));
    this.put({ id, status: path === '/enableJob' ? 1 : path === '/disableJob' ? 2 : 99 });
    return yes(null);
  }

  private save(body: Fields, { yes, no }: { yes: (data: unknown) => Fields; no: (message: string) => Fields }): Fields {
    if (body.id !== null && !this.jobs.has(Number(body.id))) return no(`can't find job by jobId:${body.id}`);
    const numbers: Fields = {};
    for (const [field, values] of Object.entries(enums)) {
      const number = values[String(body[field])];
      if (number === undefined) return no(`JSON parse error: Cannot deserialize value of type ${field} from ${body[field]}`);
      numbers[field] = number;
    }
    if (!Array.isArray(body.notifyUserIds)) return no('JSON parse error: notifyUserIds');
    const { lifeCycle, alarmConfig, logConfig, enable, notifyUserIds, id, ...fields } = body;
    // Omitted fields of a request are cleared.
    const rest = { tag: null, dispatchStrategyConfig: null, advancedRuntimeConfig: null, ...fields };
    const texts = { lifecycle: JSON.stringify(lifeCycle ?? {}), alarmConfig, logConfig: JSON.stringify(logConfig), notifyUserIds: notifyUserIds.join(',') };
    return yes(this.put({ ...rest, ...numbers, ...texts, status: enable ? 1 : 2, ...(id === null ? {} : { id: Number(id) }) }));
  }

  private ofRuns(path: string, body: Fields, { yes, no }: { yes: (data: unknown) => Fields; no: (message: string) => Fields }): Fields {
    if (path === '/queryInstance') {
      const { index = 0, pageSize = 10 } = body as { index?: number; pageSize?: number };
      const all = [...this.runs.values()].reverse();
      const page = { index, pageSize, totalPages: Math.ceil(all.length / pageSize), totalItems: all.length };
      return yes({ ...page, data: all.slice(index * pageSize, (index + 1) * pageSize) });
    }
    const id = String(body.instanceId);
    const run = this.runs.get(id);
    if (!run) return no(`invalid instanceId: ${id}`);
    if (path === '/fetchInstanceInfo') return yes(run);
    if (path === '/fetchInstanceStatus') return yes(run.status);
    if (path === '/stopInstance') this.move(id, { status: 10, finishedTime: Date.now(), result: 'stopped by user' });
    else if (path === '/cancelInstance') this.move(id, { status: 9, finishedTime: Date.now(), result: 'canceled by user' });
    else if ([1, 2, 3].includes(Number(run.status))) return no('Only stopped instance can be retry!');
    else this.move(id, { status: 1, finishedTime: null, runningTimes: Number(run.runningTimes) + 1 });
    return yes(null);
  }
}

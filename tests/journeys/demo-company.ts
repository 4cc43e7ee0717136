import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { adminPassword, Product } from './product.ts';

const root = join(import.meta.dirname, '../..');
const scale = '0.01';

/** Runs the demo step of `npm start -- --demo` without a build. */
export const ensureCompany = (directory: string, environment: Record<string, string> = {}) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import('${pathToFileURL(join(root, 'scripts/demo.mjs')).href}').then(({ ensureDemo }) => ensureDemo())`,
      '--',
      '--demo',
      '--demo-scale',
      scale,
    ],
    {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, DATA_DIR: directory, ADMIN_PASSWORD: adminPassword, ...environment },
    },
  );

/** Starts a server on this directory and returns the figures of the company. */
export async function figuresIn(directory: string) {
  const product = new Product({ DATA_DIR: directory, ADMIN_PASSWORD: adminPassword });
  try {
    await product.start();
    const client = await product.signIn();
    const all = async (path: string, query: Record<string, string> = {}) => (await client.get(path, { size: 200, ...query })).data;
    const advertisers = (await all('/api/oms-system/base/advertiserlist')).records as { name: string; balance: string }[];
    const waiting = (await all('/api/things-task/task/getAuditList')).total as number;
    const decided = (await all('/api/things-task/task/getRecordList')).records as { auditStatus: number; payStatus: number; images: string; amount: number }[];
    const payouts = (await all('/api/things-task/weixinpay/list')).records as { state: number; amount: number; paidTime: string }[];
    const paid = payouts.filter(({ state }) => state === 2);
    const picture = await fetch(new URL(String(decided[0]?.images), product.address), { headers: client.headers });
    const approved = decided.filter(({ auditStatus }) => auditStatus === 1).length;
    const roles = (await client.get('/api/oms-system/role/list')).data as { roleName: string; roleNameEn: string | null }[];
    const notifications = (await Promise.all(['notice', 'message', 'mail'].map((kind) => client.get('/api/blade-desk/inbox/list', { kind })))).flatMap(
      ({ data }) => data.entries as { title: string; isSample: boolean }[],
    );
    return {
      notifications: notifications.map(({ title, isSample }) => (isSample ? `sample ${title}` : title)),
      advertisers: advertisers.map(({ name, balance }) => `${name} ${balance}`).sort(),
      roles: roles.map(({ roleName, roleNameEn }) => `${roleName} ${roleNameEn}`),
      tasks: (await all('/api/things-task/task/getList')).total as number,
      submissions: waiting + decided.length,
      byAudit: { waiting, approved, rejected: decided.length - approved } as Record<string, number>,
      paid: {
        count: paid.length,
        sum: paid.reduce((sum, { amount }) => sum + Number(amount), 0),
        days: [...new Set(paid.map(({ paidTime }) => paidTime.slice(0, 10)))].sort(),
      },
      unpaid: decided.filter(({ auditStatus, payStatus }) => auditStatus === 1 && payStatus === 0).length,
      underWay: payouts.filter(({ state }) => state < 2).length,
      faults: (await all('/api/things-task/ledger/check')) as unknown[],
      picture: picture.headers.get('content-type') ?? '',
    };
  } finally {
    await product.discard();
  }
}

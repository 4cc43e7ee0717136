import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import pg from 'pg';
import { killWhilePaying } from './killed-paying.ts';
import { PayingOffice, ripe } from './paying-office.ts';
import type { Product } from './product.ts';

test('a server that is killed while it pays, with a request at the provider or not, pays everybody once under the number it gave', async () => {
  const { bills, killsAtProvider, paidTwice, lost, faults } = await killWhilePaying(4);
  expect({ bills, killsAtProvider, paidTwice, lost, faults }).toEqual({ bills: 8, killsAtProvider: 3, paidTwice: 0, lost: 0, faults: 0 });
});

test('fifty requests for one piece of work at two servers make one bill, one entry of the ledger and one payment', async () => {
  const server = process.env.TEST_DATABASE_URL ?? '';
  test.skip(server === '', 'Two processes share a database only where there is a PostgreSQL.');
  const name = `marquee_test_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await onServer(server, `create database ${name}`);
  const environment = {
    DATABASE_URL: url,
    NODE_ENV: 'development',
    CAPTCHA_TEST_ANSWER: '',
    CAPTCHA_MODE: 'off',
    SECRET_KEY: randomBytes(36).toString('base64'),
  };
  const office = new PayingOffice();
  let beside: Product | undefined;
  try {
    await office.open(environment);
    beside = office.beside(environment);
    await beside.start();
    const [id] = await office.prepare(1);
    await onServer(url, ripe);
    const clients = [await office.product.signIn(), await beside.signIn()] as const;
    const replies = await Promise.all(Array.from({ length: 50 }, (_, place) => clients[place % 2 === 0 ? 0 : 1].post('/api/things-task/weixinpay', { id })));
    expect(replies.map(({ code }) => code)).toEqual(Array(50).fill(200));
    const [payNo, ...others] = new Set(replies.map(({ data }) => data.payNo));
    expect(others).toEqual([]);
    await expect
      .poll(async () => (await clients[1].get('/api/things-task/weixinpay/list')).data.records, { timeout: 30_000 })
      .toMatchObject([{ payNo, state: 2 }]);
    expect([...office.wechat.bills.keys()]).toEqual([payNo]);
    expect(
      await onServer(url, `select count(*)::integer as all, count(distinct entry_id)::integer as entries from ledger_posting where pay_no = '${payNo}'`),
    ).toEqual([{ all: 4, entries: 2 }]);
    expect(await onServer(url, `select count(*)::integer as set_aside from ledger_posting where kind = 3 and account = 1`)).toEqual([{ set_aside: 1 }]);
  } finally {
    await beside?.discard();
    await office.close();
    await onServer(server, `drop database if exists ${name} with (force)`);
  }
});

async function onServer(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

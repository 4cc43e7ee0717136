import { afterAll, beforeAll, expect, test } from '@rstest/core';
import type { Call } from '#shared/contract';
import { census } from '../../../contract/census.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

interface Property {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly maximum?: number;
}

let server: TestServer;
let headers: Record<string, string>;
let application: string;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['job'], timeScale: 8 });
  headers = await server.signIn();
  application = (await server.post('/api/blade-job/job-server/submit', { jobServerName: '本机', jobAppName: 'limits' }, { headers })).data.id;
});
afterAll(() => server.stop());

const { calls } = census((id) => id === 'job');
const isNumber = ({ type, enum: values }: Property) => !values && [type].flat().some((one) => one === 'integer' || one === 'number');
/** Returns the fields of a form that hold a number entered by the user. */
const numbersOf = ({ input }: Call) =>
  Object.entries((input as { properties?: Readonly<Record<string, Property>> }).properties ?? {}).filter(([, property]) => isNumber(property));
const forms = calls.filter(({ call }) => call.method === 'POST');
const job = () => ({ jobServerId: application, jobName: '界限', timeExpressionType: 1, executeType: 1, processorInfo: 'job:clean-runs', enable: 0 });
const submit = (fields: object) => server.post('/api/blade-job/job-info/submit', { ...job(), ...fields }, { headers });

test('a number far above a sensible value is refused with the name of its field, in each form of jobs', async () => {
  const sent = forms.flatMap(({ name, call }) => numbersOf(call).map(([field, { maximum }]) => ({ name, call, field, maximum })));
  expect(sent.filter(({ name }) => name === 'job.jobInfo.submit').length).toBeGreaterThanOrEqual(12);
  // The largest number of a column's type is not a sensible limit of a field.
  expect(sent.filter(({ maximum = Number.POSITIVE_INFINITY }) => maximum > 1_000_000_000).map(({ name, field }) => `${name} ${field}`)).toEqual([]);
  for (const { name, call, field } of sent)
    for (const value of [2_147_483_647, 9_000_000_000_000_000]) {
      const reply = await server.post(call.path, { ...job(), [field]: value }, { headers });
      expect({ name, field, value, status: reply.status, refused: reply.body.field }).toEqual({ name, field, value, status: 400, refused: field });
    }
});

test('each number is accepted up to its maximum', async () => {
  const fields = Object.fromEntries(
    numbersOf(forms.find(({ name }) => name === 'job.jobInfo.submit')?.call as Call).map(([field, { maximum }]) => [field, maximum]),
  );
  const { data } = await submit(fields);
  expect((await server.get('/api/blade-job/job-info/detail', { headers, query: { id: data.id } })).data).toMatchObject(fields);
  for (const [field, maximum] of Object.entries(fields))
    expect({ field, refused: (await submit({ [field]: Number(maximum) + 1 })).body.field }).toEqual({ field, refused: field });
  const bulk = await server.post('/api/blade-job/job-info/bulk-submit', { ids: [data.id], values: { concurrency: 100_000 } }, { headers });
  expect([bulk.status, bulk.body.field]).toEqual([400, 'concurrency']);
});

test('a period is at most 31 days', async () => {
  const periodic = async (timeExpression: string) => {
    const { status, body } = await submit({ jobName: `每 ${timeExpression}`, timeExpressionType: 3, timeExpression });
    return [status, body.field];
  };
  expect(await periodic('2678400000')).toEqual([200, undefined]);
  expect(await periodic('2678400001')).toEqual([400, 'timeExpression']);
  expect(await periodic('9999999999')).toEqual([400, 'timeExpression']);
});

import { expect, test } from '@rstest/core';
import { defineServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { testServer } from '../../../support/test-server.ts';

const bell = defineServerPlugin({
  id: 'bell',
  title: ['钟', 'Bell'],
  dependencies: ['job'],
  setup: () => ({
    processors: {
      'bell:ring': {
        title: ['敲钟', 'Ring'],
        help: ['敲钟', 'Rings'],
        schedules: [
          { key: 'never', title: ['无效', 'Invalid'], cron: 'each night' },
          { key: 'nightly', title: ['每晚敲钟', 'Ring each night'], cron: '0 30 2 * * ?' },
          { key: 'hourly', title: ['整点敲钟', 'Ring each hour'], cron: '0 0 * * * ?', params: 'loud' },
        ],
        run: async () => 'rung',
      },
    },
  }),
});
const path = '/api/blade-job/job-info';
const plugins = ['access', 'job', bell];

test('declared jobs are added once and scheduled, beside an invalid one; a change and a removal stay, and later ones are added', async () => {
  const first = await testServer({ plugins });
  const headers = await first.signIn();
  const jobs = async (server = first) => {
    const { records } = (await server.get(`${path}/list`, { headers: await server.signIn() })).data as { records: { id: string; jobName: string }[] };
    return records.toSorted((one, other) => (one.jobName < other.jobName ? -1 : 1));
  };
  expect(await jobs()).toMatchObject([
    { jobName: '整点敲钟', processorInfo: 'bell:ring', timeExpression: '0 0 * * * ?', jobParams: 'loud', enable: 1 },
    { jobName: '每晚敲钟', processorInfo: 'bell:ring', timeExpression: '0 30 2 * * ?', enable: 1 },
  ]);
  const [hourly, nightly] = await jobs();
  expect(await first.sql('select job_info_id::text as id from job_schedule order by id')).toHaveLength(2);

  await first.post(`${path}/remove`, { ids: hourly?.id }, { headers });
  await first.post(`${path}/submit`, { id: nightly?.id, enable: 0 }, { headers });
  const second = await testServer({ plugins, db: first.db });
  expect(await jobs(second)).toMatchObject([{ jobName: '每晚敲钟', enable: 0 }]);
});

test('declared jobs have an English name, also those that were added before jobs had one; the home page uses the language of the reader', async () => {
  const first = await testServer({ plugins });
  const rows = () => first.sql('select job_name as name, job_name_en as "nameEn" from job_info order by id');
  const both = [
    { name: '每晚敲钟', nameEn: 'Ring each night' },
    { name: '整点敲钟', nameEn: 'Ring each hour' },
  ];
  expect(await rows()).toEqual(both);
  await first.sql('update job_info set job_name_en = null');
  const second = await testServer({ plugins, db: first.db });
  expect(await rows()).toEqual(both);
  const headers = await second.signIn();
  const nextFires = async (language: string) =>
    ((await second.get('/api/blade-job/job-info/overview', { headers: { ...headers, 'accept-language': language } })).data.nextFires as { jobName: string }[])
      .map(({ jobName }) => jobName)
      .sort();
  expect(await nextFires('en')).toEqual(['Ring each hour', 'Ring each night']);
  expect(await nextFires('zh')).toEqual(['整点敲钟', '每晚敲钟']);
});

import type { TestServer } from '../support/test-server.ts';
import { formSamples } from './census.ts';

/** Adds the rows that the sample forms of other screens refer to, and fills in their ids. */
export async function addSampleTargets(server: TestServer, headers: Record<string, string>): Promise<void> {
  const [page] = await server.sql("select id::text as id from menu where code = 'role'");
  for (const name of ['access.dataScope', 'access.apiScope']) Object.assign(formSamples[name] as object, { menuId: page?.id });
  const [source] = await server.sql('select id::text as id from datasource');
  Object.assign(formSamples['codegen.model'] as object, { datasourceId: source?.id });
  const made = { modelName: '样例', datasourceId: source?.id, modelTable: 'dict', modelClass: 'Other', modelCode: 'other' };
  Object.assign(formSamples['codegen.code'] as object, { modelId: (await server.post('/api/blade-develop/model/submit', made, { headers })).data.id });
  const { data } = await server.post('/api/blade-job/job-server/submit', { jobServerName: '样例', jobAppName: 'for the jobs of tests' }, { headers });
  for (const name of ['job.jobInfo', 'job.jobWorkflow']) Object.assign(formSamples[name] as object, { jobServerId: data.id });
  const channel = { ...formSamples['sms.sms'], smsCode: 'for-templates' };
  Object.assign(formSamples['sms.smsTemplate'] as object, { smsId: (await server.post('/api/blade-resource/sms/submit', channel, { headers })).data.id });
}

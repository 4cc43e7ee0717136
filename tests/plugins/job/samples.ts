import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: {
    jobInfo: { jobServerId: '$server', jobName: '样例', timeExpressionType: 1, executeType: 1, processorInfo: 'job:clean-runs', enable: 0 },
    jobWorkflow: { jobServerId: '$server', workflowName: '样例' },
  },
  references: { server: { calls: 'jobServer', form: { jobServerName: '样例', jobAppName: 'for the jobs of tests' } } },
  rows: [
    { entity: 'job_server', as: 'job_server_elsewhere', values: { engine: 2, jobServerName: 'elsewhere', jobAppName: 'elsewhere' } },
    { entity: 'job_server' },
    { entity: 'job_info', values: { jobServerId: '$job_server' } },
    { entity: 'job_workflow', values: { jobServerId: '$job_server' } },
    { entity: 'job_instance', values: { jobInfoId: '$job_info' } },
  ],
  statements: ["insert into job_log (tenant_id, instance_id, time, level, text) values ('000000', $job_instance, now(), 'INFO', 'a line')"],
  reads: {
    values: { processorInfo: ['job:clean-runs', 'task:recount-figures'] },
    together: {
      'job.jobInfo.unavailable jobServerId': { processorInfo: 'job:clean-runs' },
      'job.jobInfo.unavailable processorInfo': { jobServerId: '$job_server' },
      'job.jobInfo.workflows name': { jobServerId: '$job_server' },
      'job.jobInstance.log after': { id: '$job_instance' },
      'job.jobTimeline from': { to: '2026-02-04 00:00:00' },
    },
  },
} satisfies PluginSamples;

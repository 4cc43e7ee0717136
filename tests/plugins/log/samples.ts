import type { PluginSamples } from '../../kit/samples.ts';

export default {
  rows: [{ entity: 'error_log' }, { entity: 'login_log' }, { entity: 'usual_log', values: { logData: '{}' } }, { entity: 'api_log', values: { params: '{}' } }],
  reads: {
    unaffected: {
      'log.apiLog.list searchedTo': 'it continues a search by text; the test of log searches continues one',
      'log.errorLog.list searchedTo': 'as above',
      'log.usualLog.list searchedTo': 'as above',
    },
  },
} satisfies PluginSamples;

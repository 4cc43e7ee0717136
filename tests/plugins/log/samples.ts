import type { PluginSamples } from '../../kit/samples.ts';

export default {
  rows: [
    { entity: 'error_log' },
    { entity: 'login_log' },
    { entity: 'usual_log', values: { logData: '{}' } },
    { entity: 'api_log', values: { params: '{}' } },
    { entity: 'personal_access' },
  ],
  reads: {
    // Every call adds a line to the log of calls, so that only a list without rows stays the same.
    together: { 'log.apiLog.list searchedTo': { ids: '987654321987654321' } },
    unaffected: {
      'log.apiLog.list searchedTo': 'it continues a search by text; the test of log searches continues one',
      'log.errorLog.list searchedTo': 'as above',
      'log.usualLog.list searchedTo': 'as above',
    },
  },
} satisfies PluginSamples;

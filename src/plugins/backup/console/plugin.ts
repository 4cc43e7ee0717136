import { definePlugin } from '#kernel';

/** Backups by schedule: their settings are on the page of parameters, their results in the inbox and the system log. */
export default definePlugin({
  id: 'backup',
  title: ['自动备份', 'Scheduled backups'],
});

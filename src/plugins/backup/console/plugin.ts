import { contribute, definePlugin } from '#kernel';
import { BackupPanels } from '#plugins/health/extension';

/** Backups by schedule: their settings are on the page of parameters, their results on the health screen, in the inbox and in the system log. */
export default definePlugin({
  id: 'backup',
  title: ['自动备份', 'Scheduled backups'],
  optionalDependencies: ['health'],
  contributions: [contribute(BackupPanels, { load: () => import('./BackupPanel.tsx') })],
});

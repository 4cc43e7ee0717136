import { type Panel, slot } from '#kernel';

/** Slot for parts of the backup section of the health screen, below its facts. */
export const BackupPanels = slot<Pick<Panel, 'load'>>('health:backup-panels');

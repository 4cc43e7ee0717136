import type { Undo } from '../../base/bus/bus.ts';
import type { ErrorLog } from './error-log.ts';

/** Records uncaught errors and rejections of this window in the error log. */
export function watchWindow(log: ErrorLog): Undo {
  const onError = (event: ErrorEvent) => log.record('error', event.error ?? event.message, event.filename ? `${event.filename}:${event.lineno}` : '');
  const onRejection = (event: PromiseRejectionEvent) => log.record('rejection', event.reason);
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  return () => {
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
  };
}

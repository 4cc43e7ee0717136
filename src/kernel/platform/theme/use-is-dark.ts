import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { useMediaQuery } from '../browser/use-media-query.ts';
import { Theme } from './theme.ts';

/** Returns whether the console is dark now, by choice or by following the system. */
export function useIsDark(): boolean {
  const theme = useService(Theme);
  const appearance = useStream(theme.appearance$, theme.appearance);
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)');
  return appearance === 'system' ? isSystemDark : appearance === 'dark';
}

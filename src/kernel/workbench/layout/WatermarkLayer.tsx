import { type ComponentType, lazy, Suspense } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Preferences } from '../state/preferences.ts';

const Watermark = lazy((): Promise<{ default: ComponentType }> => import('./Watermark.tsx').catch(() => ({ default: () => null })));

/** Renders the watermark where the preferences enable it, loaded on demand. */
export function WatermarkLayer() {
  const isWanted = useStore(useService(Preferences), ({ watermark }) => watermark);
  return <Suspense>{isWanted && <Watermark />}</Suspense>;
}

import { type ComponentType, lazy, Suspense } from 'react';
import { useService } from '../services.tsx';
import { useStore } from '../use-store.ts';
import { Preferences } from './preferences.ts';

const Watermark = lazy((): Promise<{ default: ComponentType }> => import('./Watermark.tsx').catch(() => ({ default: () => null })));

/** Renders the watermark where the preferences enable it, loaded on demand. */
export function WatermarkLayer() {
  const isWanted = useStore(useService(Preferences), ({ watermark }) => watermark);
  return <Suspense>{isWanted && <Watermark />}</Suspense>;
}

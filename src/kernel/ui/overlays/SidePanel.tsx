import { Suspense } from 'react';
import { lazyComponent } from '../loading/lazy-component.tsx';
import type { SidePanelProps } from './SidePanelSheet.tsx';

const SidePanelSheet = lazyComponent(() => import('./SidePanelSheet.tsx'));

/** Opens a drawer over its page: it is hidden and kept with the page's tab. Closing it unmounts its content, after a question about unsaved changes. */
export function SidePanel(props: SidePanelProps) {
  return <Suspense>{props.open && <SidePanelSheet {...props} />}</Suspense>;
}

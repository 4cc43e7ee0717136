import { lazy, type ReactNode, Suspense } from 'react';

const SidePanelSheet = lazy(() => import('./SidePanelSheet.tsx'));

/** What a page says about a panel beside it. */
export interface SidePanelProps {
  /** Stands above the content, and names the panel to those who do not see it. */
  readonly title: string;
  readonly open: boolean;
  /** The operator wants it closed, and nothing in it is unsaved any more. */
  readonly onClose: () => void;
  /** Pixels; 1000 unless said, and never wider than the window. */
  readonly width?: number;
  readonly children: ReactNode;
}

/** A drawer over the page it belongs to: hidden with its tab and kept with it. What stands in it ends when it closes; unsaved changes in it are asked about first. */
export function SidePanel(props: SidePanelProps) {
  return <Suspense>{props.open && <SidePanelSheet {...props} />}</Suspense>;
}

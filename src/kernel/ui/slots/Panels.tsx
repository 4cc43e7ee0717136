import { type ReactNode, useMemo } from 'react';
import type { LocalizedText } from '#shared/text';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import { lazyComponent } from '../loading/lazy-component.tsx';
import { ContributionBoundary } from './ContributionBoundary.tsx';
import { type Slot, type SlotContribution, useSlot } from './slots.ts';

/** A component with a heading, loaded when it is first shown. */
export interface Panel {
  readonly title: LocalizedText;
  /** Permission code that seeing the panel requires. */
  readonly code?: string;
  readonly load: () => Promise<{ readonly default: () => ReactNode }>;
}

interface PanelsProps {
  readonly slot: Slot<Panel>;
  /** Renders a panel with its heading. */
  readonly frame: (title: string, content: ReactNode) => ReactNode;
}

/** Renders the panels of a slot whose permission codes the user holds. */
export function Panels({ slot, frame }: PanelsProps) {
  const panels = useSlot(slot);
  const may = useGrants();
  return panels
    .filter(({ part: { code } }) => may(code))
    .map((contribution) => <ContributedPanel key={contribution.key} contribution={contribution} frame={frame} />);
}

function ContributedPanel({ contribution, frame }: { readonly contribution: SlotContribution<Panel>; readonly frame: PanelsProps['frame'] }) {
  const t = useTranslation();
  const Content = useMemo(() => lazyComponent(contribution.part.load), [contribution.part.load]);
  return frame(
    t(contribution.part.title),
    <ContributionBoundary owner={contribution}>
      <Content />
    </ContributionBoundary>,
  );
}

import { type ReactNode, useMemo } from 'react';
import { useWords } from '../../platform/i18n/use-words.ts';
import { useGrants } from '../../platform/permission/use-grants.ts';
import { part } from '../loading/part.tsx';
import { ContributionBoundary } from './ContributionBoundary.tsx';
import type { Panel } from './kernel-slots.ts';
import type { Slot } from './slot.ts';
import type { SlotContribution } from './slots.ts';
import { useSlot } from './use-slot.ts';

interface PanelsProps {
  readonly of: Slot<Panel>;
  /** Renders a panel with its heading. */
  readonly frame: (title: string, content: ReactNode) => ReactNode;
}

/** Renders the panels of a slot whose permission codes the user holds. */
export function Panels({ of, frame }: PanelsProps) {
  const panels = useSlot(of);
  const may = useGrants();
  return panels.filter(({ part: { code } }) => may(code)).map((filled) => <PanelOf key={filled.key} of={filled} frame={frame} />);
}

function PanelOf({ of, frame }: { readonly of: SlotContribution<Panel>; readonly frame: PanelsProps['frame'] }) {
  const say = useWords();
  const Content = useMemo(() => part(of.part.load), [of.part.load]);
  return frame(
    say(of.part.title),
    <ContributionBoundary of={of}>
      <Content />
    </ContributionBoundary>,
  );
}

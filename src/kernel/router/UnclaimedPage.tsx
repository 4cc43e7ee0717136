import type { MenuItem } from '#shared/menus';
import { ProblemView } from '../errors/ProblemView.tsx';
import { useText, useWords } from '../i18n/use-words.ts';
import { useMenuTitles } from './atlas.tsx';

/** A menu entry no plugin of this deployment answers to: says which one. */
export function UnclaimedPage({ item }: { readonly item: MenuItem }) {
  const text = useText();
  const say = useWords();
  const name = say(useMenuTitles()(item));
  return <ProblemView scene="plugin" title={text('errors.unclaimedTitle')} explanation={text('errors.unclaimed', { name, code: item.code })} actions={[]} />;
}

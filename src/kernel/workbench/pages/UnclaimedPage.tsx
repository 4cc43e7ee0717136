import type { MenuItem } from '#shared/menus';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { PluginHost } from '../../host/plugin-host/plugin-host.ts';
import { useText, useWords } from '../../platform/i18n/use-words.ts';
import { Permission } from '../../platform/permission/permission.ts';
import { ProblemView } from '../../ui/errors/ProblemView.tsx';
import { useMenuTitles } from '../routes/route-table.tsx';

/** Stands for a menu entry without a running plugin: names the plugin it belongs to and, for administrators, the reason it does not run; otherwise names the entry. */
export default function UnclaimedPage({ item }: { readonly item: MenuItem }) {
  const text = useText();
  const say = useWords();
  const host = useService(PluginHost);
  const states = useStream(host.states$, host.states);
  const mayKnow = useStream(useService(Permission).isAdministrator$, false);
  const name = say(useMenuTitles()(item));
  const owner = host.definitions.find(({ pages }) => pages?.some(({ menu }) => menu.code === item.code));
  const stopped = states.find(({ id }) => id === owner?.id);
  if (!stopped)
    return <ProblemView scene="plugin" title={text('errors.unclaimedTitle')} explanation={text('errors.unclaimed', { name, code: item.code })} actions={[]} />;
  return (
    <ProblemView
      scene="plugin"
      title={text('errors.stoppedTitle')}
      explanation={text('errors.stopped', { plugin: say(stopped.title) })}
      details={mayKnow && stopped.cause ? say(stopped.cause.words) : undefined}
      actions={[]}
    />
  );
}

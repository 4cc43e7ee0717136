import { IconClose, IconLink, IconStar, IconStarFill } from '@arco-design/web-react/icon';
import type { SharedView } from '#shared/views';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { SharedViews } from './use-shared-views.ts';
import { ViewRow, ViewTool } from './ViewRow.tsx';
import { ofShared, type View } from './views.ts';

interface SharedViewListProps {
  readonly shared: SharedViews;
  /** Names of the user's own views, which indicate themselves whether they are shared. */
  readonly own: ReadonlySet<string>;
  /** Id of the view the user has set as default. */
  readonly follows: string | undefined;
  /** Sets the default view, or none. */
  readonly onFollow: (view: SharedView | undefined) => void;
  readonly onApply: (view: View) => void;
  readonly onCopy: (view: View) => void;
}

/** Lists the shared views: everybody may apply, follow and link to them; users with the permission may withdraw them. */
export function SharedViewList({ shared, own, follows, onFollow, onApply, onCopy }: SharedViewListProps) {
  const t = useTranslation();
  const others = shared.all.filter(({ isOwn, name }) => !(isOwn && own.has(name)));
  if (shared.hasFailed)
    return (
      <p className="crud-views__hint" role="alert">
        {t('table.sharedFailed')}{' '}
        <button type="button" className="crud-views__retry" onClick={shared.reload}>
          {t('errors.retry')}
        </button>
      </p>
    );
  if (others.length === 0) return null;
  return (
    <section aria-label={t('table.sharedViews')}>
      <h2 className="crud-views__heading">{t('table.sharedViews')}</h2>
      <ul className="crud-views__list">
        {others.map((one) => (
          <ViewRow key={one.id} name={one.name} owner={one.isOwn ? t('table.sharedByYou') : one.owner} onApply={() => onApply(ofShared(one))}>
            <ViewTool
              icon={one.id === follows ? <IconStarFill /> : <IconStar />}
              title={t(one.id === follows ? 'table.undefaultView' : 'table.defaultView', { name: one.name })}
              isOn={one.id === follows}
              onClick={() => onFollow(one.id === follows ? undefined : one)}
            />
            <ViewTool icon={<IconLink />} title={`${t('table.copyLink')} · ${one.name}`} onClick={() => onCopy(ofShared(one))} />
            {one.mayWithdraw && <ViewTool icon={<IconClose />} title={t('table.withdrawView', { name: one.name })} onClick={() => void shared.withdraw(one)} />}
          </ViewRow>
        ))}
      </ul>
    </section>
  );
}

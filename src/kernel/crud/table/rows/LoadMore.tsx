import { Button } from '@arco-design/web-react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { windowFrom } from './use-window.ts';

interface LoadMoreProps {
  readonly rendered: number;
  readonly count: number;
  readonly onMore: () => void;
}

/** Shows the number of rendered cards of a long list and a button for more. */
export function LoadMore({ rendered, count, onMore }: LoadMoreProps) {
  const t = useTranslation();
  return (
    <div className="crud-card__more">
      <span>{t('table.cardsShown', { drawn: rendered.toLocaleString('en'), count: count.toLocaleString('en') })}</span>
      <Button onClick={onMore}>{t('table.moreCards', { count: Math.min(windowFrom, count - rendered) })}</Button>
    </div>
  );
}

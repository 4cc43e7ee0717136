import { Button } from '@arco-design/web-react';
import { useText } from '../../i18n/use-words.ts';
import { windowFrom } from './use-window.ts';

interface MoreCardsProps {
  readonly drawn: number;
  readonly count: number;
  readonly onMore: () => void;
}

/** How many cards of a long list are drawn, and the way to the next. */
export function MoreCards({ drawn, count, onMore }: MoreCardsProps) {
  const text = useText();
  return (
    <div className="crud-card__more">
      <span>{text('table.cardsShown', { drawn: drawn.toLocaleString('en'), count: count.toLocaleString('en') })}</span>
      <Button onClick={onMore}>{text('table.moreCards', { count: Math.min(windowFrom, count - drawn) })}</Button>
    </div>
  );
}

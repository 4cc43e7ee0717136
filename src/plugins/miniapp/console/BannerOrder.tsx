import { Radio } from '@arco-design/web-react';
import { useCallback, useState } from 'react';
import { Http, OrderList, thumbnailUrl, useOrder, useService, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import { Banner, type BannerRow, banner } from '../contract.ts';
import { miniappMessages } from './messages.ts';
import styles from './miniapp.module.css';

const positions = traitsOf(Banner.fields.position)?.options ?? [];
const mostShown = 200;

/** Reorders the banners of one position; each move is saved at once. */
export function BannerOrder() {
  const t = useTranslation();
  const http = useService(Http);
  const [position, setPosition] = useState<BannerRow['position']>('home');
  const read = useCallback(
    async (signal: AbortSignal) => {
      const answer = await http.send(banner.list, { position_equal: position, size: mostShown, ascs: 'sort' }, { signal });
      return answer.success ? answer.data.records : [];
    },
    [http, position],
  );
  const { rows, order } = useOrder<BannerRow>(read, async (next) => (await http.send(banner.order, { position, ids: next.map(({ id }) => id) })).success);
  return (
    <div className={styles.panel}>
      <Radio.Group type="button" value={position} onChange={setPosition} aria-label={t(traitsOf(Banner.fields.position)?.title ?? miniappMessages.arrange)}>
        {positions.map(([value, title]) => (
          <Radio key={value} value={value}>
            {t(title)}
          </Radio>
        ))}
      </Radio.Group>
      <p className={styles.hint}>{rows?.length === 0 ? t(miniappMessages.nothing) : t('order.hint')}</p>
      <OrderList
        rows={rows ?? []}
        nameOf={({ title }) => title}
        pictureOf={({ image }) => <img className={styles.picture} src={thumbnailUrl(image)} alt="" />}
        onOrder={(next) => void order(next)}
      />
    </div>
  );
}

import { Radio } from '@arco-design/web-react';
import { useRef, useState } from 'react';
import { CrudPage, type CrudScreen, Http, LoadedPart, OrderList, SidePanel, thumbnailUrl, useOrder, useQuery, useService, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import { Banner, type BannerRow, type BannerWithPhase, banner } from '../contract.ts';
import { bannerMenu } from '../menus.ts';
import { miniappMessages, nouns, phaseMessages } from './messages.ts';
import styles from './miniapp.module.css';

const positions = traitsOf(Banner.fields.position)?.options ?? [];
const maxRows = 200;

/** Reorders the banners of one position; each move is saved at once. */
function BannerOrder() {
  const t = useTranslation();
  const http = useService(Http);
  const [position, setPosition] = useState<BannerRow['position']>('home');
  const query = useQuery(banner.list, { position_equal: position, size: maxRows, ascs: 'sort' });
  const { rows = [], order } = useOrder<BannerRow>(
    { data: query.data?.records, refetch: query.refetch },
    async (next) => (await http.send(banner.order, { position, ids: next.map(({ id }) => id) })).success,
  );
  return (
    <div className={styles.panel}>
      <Radio.Group type="button" value={position} onChange={setPosition} aria-label={t(traitsOf(Banner.fields.position)?.title ?? miniappMessages.reorder)}>
        {positions.map(([value, title]) => (
          <Radio key={value} value={value}>
            {t(title)}
          </Radio>
        ))}
      </Radio.Group>
      <LoadedPart query={query}>
        {() => (
          <>
            <p className={styles.hint}>{rows.length === 0 ? t(miniappMessages.noBanners) : t('order.hint')}</p>
            <OrderList
              rows={rows}
              nameOf={({ title }) => title}
              iconOf={({ image }) => <img className={styles.picture} src={thumbnailUrl(image)} alt="" />}
              onOrder={(next) => void order(next)}
            />
          </>
        )}
      </LoadedPart>
    </div>
  );
}

const tones = { off: 'neutral', waiting: 'warning', showing: 'good', over: 'neutral' } as const;

/** Lists banners. Top task: show one for some days, 7 clicks (add, picture, from, day, until, day, save). */
export default function BannerPage() {
  const t = useTranslation();
  const [isReordering, setIsReordering] = useState(false);
  const list = useRef<CrudScreen<BannerRow>>(undefined);
  const openOrder = (screen: CrudScreen<BannerRow>) => {
    list.current = screen;
    setIsReordering(true);
  };
  const close = () => {
    setIsReordering(false);
    list.current?.reload();
  };
  return (
    <>
      <CrudPage
        crud={banner}
        title={bannerMenu.title}
        noun={nouns.banner}
        fields={['image', 'title', 'position', 'status', 'link_type', 'link', 'start_at', 'end_at']}
        columns={{
          link_type: { hidden: true },
          status: {
            render: (row) => {
              const { phase } = row as BannerWithPhase;
              return <span className={`cell_tag cell_tag_${tones[phase]}`}>{t(phaseMessages[phase])}</span>;
            },
          },
        }}
        actions={{ toolbar: [{ title: miniappMessages.reorder, code: codes(banner.menu).edit, onClick: (_ids, screen) => openOrder(screen) }] }}
      />
      <SidePanel open={isReordering} title={t(miniappMessages.reorder)} width={520} onClose={close}>
        <BannerOrder />
      </SidePanel>
    </>
  );
}

import { CrudPage, Http, Toasts, useService, useTranslation } from '#kernel';
import { type AlipayMerchantRow, alipayMerchant, alipayStatus } from '../contract.ts';
import { alipayMenu } from '../menus.ts';
import { alipayMessages } from './messages.ts';

const titles = { enable: alipayMessages.enable, disable: alipayMessages.disable } as const;
const isOff = ({ status }: AlipayMerchantRow) => status === alipayStatus.off;

/** Lists the Alipay apps of a tenant. */
export default function AlipayMerchantPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const action = (verb: keyof typeof titles) => ({
    title: titles[verb],
    code: 'alipay_merchant_enable',
    when: (row: AlipayMerchantRow) => isOff(row) === (verb === 'enable'),
    onClick: async ({ id }: AlipayMerchantRow, screen: { reload(): void }) => {
      if (!(await http.send(alipayMerchant[verb], { id })).success) return;
      toasts.success(t(verb === 'enable' ? alipayMessages.enabled : alipayMessages.disabled));
      screen.reload();
    },
  });
  return (
    <CrudPage
      crud={alipayMerchant}
      title={alipayMenu.title}
      noun={alipayMessages.noun}
      presentation="drawer"
      actions={{ row: [action('enable'), action('disable')], remove: isOff }}
    />
  );
}

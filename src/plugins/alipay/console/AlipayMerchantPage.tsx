import { CrudPage } from '#kernel';
import { isProviderOff } from '#plugins/payment/contract';
import { useProviderActions } from '#plugins/payment/extension';
import { type AlipayMerchantRow, alipayMerchant, alipayNoun } from '../contract.ts';
import { alipayMenu } from '../menus.ts';

/** Lists the Alipay apps of a tenant. */
export default function AlipayMerchantPage() {
  const actions = useProviderActions<AlipayMerchantRow>({ ...alipayMerchant, code: 'alipay_merchant_enable', isOff: isProviderOff });
  return <CrudPage crud={alipayMerchant} title={alipayMenu.title} noun={alipayNoun} presentation="drawer" actions={{ row: actions, remove: isProviderOff }} />;
}

import { CrudPage } from '#kernel';
import { isProviderOff, useProviderActions } from '#plugins/payment/extension';
import { alipayMerchant, alipayNoun } from '../contract.ts';
import { alipayMenu } from '../menus.ts';

/** Lists the Alipay apps of a tenant. */
export default function AlipayMerchantPage() {
  return (
    <CrudPage
      crud={alipayMerchant}
      title={alipayMenu.title}
      noun={alipayNoun}
      presentation="drawer"
      actions={{ row: useProviderActions(alipayMerchant, 'alipay_merchant_enable'), remove: isProviderOff }}
    />
  );
}

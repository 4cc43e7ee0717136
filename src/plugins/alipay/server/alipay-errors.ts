import type { LocalizedText } from '#shared/text';

// Codes of alipay.fund.trans.uni.transfer in the spelling of https://opendocs.alipay.com/open/02byuo, read on 2026-11-28.

/** Errors after which no order exists, and which the same request would cause again. */
const finalErrors: Readonly<Record<string, LocalizedText>> = {
  PAYEE_NOT_EXIST: ['收款账户不存在', 'The payee’s account does not exist.'],
  PAYEE_USER_INFO_ERROR: ['收款人姓名与支付宝账户不一致', 'The name does not match the payee’s account.'],
  PAYEE_ACC_OCUPIED: ['收款人的登录号对应多个支付宝账户', 'The login of the payee belongs to several Alipay accounts.'],
  PAYEE_ACCOUNT_STATUS_ERROR: ['收款账户状态异常', 'The payee’s account has a problem.'],
  PAYEE_ACCOUNT_NOT_EXSIT: ['收款账号不存在', 'The account number of the payee does not exist.'],
  PAYEE_USERINFO_STATUS_ERROR: ['收款人的用户状态异常', 'The payee’s Alipay user has a problem.'],
  PAYEE_USER_TYPE_ERROR: ['不支持该类型的收款人', 'This type of payee is not supported.'],
  PAYEE_NOT_RELNAME_CERTIFY: ['收款人未实名认证', 'The payee has not verified their identity.'],
  PAYEE_CERT_INFO_ERROR: ['收款人证件类型或证件号不一致', 'The identity document of the payee does not match.'],
  PAYEE_CARD_INFO_ERROR: ['收款银行卡信息有误', 'The bank card of the payee is not correct.'],
  CARD_BIN_ERROR: ['收款银行卡的卡号前缀有误', 'The first digits of the bank card are not correct.'],
  INVALID_CARDNO: ['收款银行卡号无效', 'The number of the bank card is not valid.'],
  PERMIT_NON_BANK_LIMIT_PAYEE: ['收款人未完善身份信息或没有余额账户', 'The payee has not completed their identity or has no balance account.'],
  PERM_AML_NOT_REALNAME_REV: ['收款人须先完善身份信息才能收款', 'The payee must complete their identity before receiving money.'],
  PERMIT_CHECK_RECEIVE_LIMIT: ['收款账户被限制收款', 'The payee’s account may not receive money.'],
  PERMIT_LIMIT_PAYEE: ['收款账户被限制收款', 'The payee’s account may not receive money.'],
  RELEASE_USER_FORBBIDEN_RECIEVE: ['收款账户存在异常，禁止收款', 'The payee’s account is irregular and may not receive money.'],
  BLOCK_USER_FORBBIDEN_RECIEVE: ['收款账户被冻结', 'The payee’s account is frozen.'],
  NO_ACCOUNT_RECEIVE_PERMISSION: ['收款账户没有收款权限', 'The payee’s account is not permitted to receive money.'],
  NO_ACCOUNT_USER_FORBBIDEN_RECIEVE: ['收款人没有余额账户，禁止收款', 'The payee has no balance account and may not receive money.'],
  PAYER_PAYEE_CANNOT_SAME: ['付款方与收款方不能相同', 'Payer and payee cannot be the same.'],
  PAYEE_TRUSTEESHIP_ACC_OVER_LIMIT: ['收款人的托管账户累计收款超限', 'The trust account of the payee has reached its limit.'],
  TRUSTEESHIP_ACCOUNT_NOT_EXIST: ['托管子户不存在', 'The trust account does not exist.'],
  TRUSTEESHIP_RECIEVE_QUOTA_LIMIT: ['托管账户收款额度超限', 'The trust account has reached its quota.'],
  INVALID_PARAMETER: ['请求参数有误', 'A parameter of the request is not valid.'],
  EXCEED_LIMIT_SM_AMOUNT: ['超过单笔限额', 'The amount exceeds the limit per transfer.'],
  EXCEED_LIMIT_SM_MIN_AMOUNT: ['金额低于 0.10 元', 'The amount is below 0.10 yuan.'],
  EXCEED_LIMIT_PERSONAL_SM_AMOUNT: ['超过转给个人的单笔限额', 'The amount exceeds the limit per transfer to a person.'],
  EXCEED_LIMIT_ENT_SM_AMOUNT: ['超过转给企业的单笔限额', 'The amount exceeds the limit per transfer to a company.'],
  MEMO_REQUIRED_IN_TRANSFER_ERROR: ['单笔 50000 元起须填写备注', 'Transfers of 50,000 yuan or more need a remark.'],
  REMARK_HAS_SENSITIVE_WORD: ['备注包含敏感词', 'The remark has a word that is not allowed.'],
  CURRENCY_NOT_SUPPORT: ['不支持该币种', 'The currency is not supported.'],
};

/** Errors that end by themselves or once the payer has acted; the original request is then repeated. */
const temporaryErrors: Readonly<Record<string, LocalizedText>> = {
  SYSTEM_ERROR: ['支付宝系统繁忙，结果未知', 'Alipay is busy. The result is unknown.'],
  REQUEST_PROCESSING: ['支付宝处理中', 'Alipay is processing the request.'],
  RESOURCE_LIMIT_EXCEED: ['请求超过支付宝的资源限制', 'The request exceeds the resources of Alipay.'],
  PAYER_BALANCE_NOT_ENOUGH: ['付款账户余额不足，请充值', 'The balance is too low. Top it up.'],
  BALANCE_IS_NOT_ENOUGH: ['付款账户余额不足，请充值', 'The balance is too low. Top it up.'],
  PAYMENT_MONEY_NOT_ENOUGH: ['付款账户余额不足，请充值', 'The balance is too low. Top it up.'],
  EXCEED_LIMIT_DM_AMOUNT: ['超过单日累计限额', 'The limit of the day has been reached.'],
  EXCEED_LIMIT_MM_AMOUNT: ['超过单月累计限额', 'The limit of the month has been reached.'],
  EXCEED_LIMIT_DM_MAX_AMOUNT: ['超过单日转账限额', 'The limit of the day has been reached.'],
  EXCEED_LIMIT_MM_MAX_AMOUNT: ['超过单月转账限额', 'The limit of the month has been reached.'],
  EXCEED_LIMIT_UNRN_DM_AMOUNT: ['收款人未实名，超过单日收款限额', 'The payee is not verified and has reached the limit of the day.'],
  EXCEED_LIMIT_DC_RECEIVED: ['超过收款人单日收款笔数', 'The payee has reached the number of transfers of the day.'],
  INST_PAY_UNABLE: ['资金流出能力不具备，可能是银行维护', 'Money cannot be sent at the moment, possibly because a bank is under maintenance.'],
  PRODUCT_NOT_SIGN: ['产品未签约', 'The app has not signed up for the product.'],
  NOT_IN_WHITE_LIST: ['产品未准入', 'The app is not admitted to the product.'],
  PAYER_STATUS_ERROR: ['付款账户状态异常', 'The payer’s account has a problem.'],
  PAYER_CERTIFY_CHECK_FAIL: ['付款方认证受限', 'The verification of the payer is limited.'],
  PAYER_PERMLIMIT_CHECK_FAILURE: ['付款方权限校验未通过', 'The payer is not permitted to pay.'],
  PERMIT_PAYER_FORBIDDEN: ['付款方须补充身份信息', 'The payer must complete their identity.'],
  PERMIT_PAYER_LOWEST_FORBIDDEN: ['付款方须补充身份信息', 'The payer must complete their identity.'],
  PAYER_CERT_EXPIRED: ['付款方证件已过期', 'The identity document of the payer has expired.'],
  PAYER_NOT_EXIST: ['付款方不存在', 'The payer does not exist.'],
  PAYER_USER_INFO_ERROR: ['付款方信息不一致', 'The details of the payer do not match.'],
  PAYCARD_UNABLE_PAYMENT: ['付款账户的余额支付不可用', 'The payer cannot pay from the balance.'],
  MONEY_PAY_CLOSED: ['付款账户的余额支付已关闭', 'The payer has turned off payments from the balance.'],
  NO_AVAILABLE_PAYMENT_TOOLS: ['付款账户没有可用的支付方式', 'The payer has no way to pay.'],
  NO_ACCOUNT_PAYMENT_PERMISSION: ['付款账户没有支付权限', 'The payer’s account may not pay.'],
  NO_PERMISSION_ACCOUNT: ['无权使用该付款账户', 'The app may not use the payer’s account.'],
  INVALID_PAYER_ACCOUNT: ['付款账户不在允许的范围内', 'The payer’s account is not allowed.'],
  BLOCK_USER_FORBBIDEN_SEND: ['付款账户被冻结', 'The payer’s account is frozen.'],
  USER_RISK_FREEZE: ['付款账户因风险被冻结', 'The payer’s account is frozen because of a risk.'],
  PERMIT_CHECK_PERM_LIMITED: ['付款方须补全身份信息', 'The payer must complete their identity.'],
  PERMIT_CHECK_PERM_IDENTITY_THEFT: ['付款账户存在身份冒用风险', 'The identity of the payer may have been misused.'],
  ISV_AUTH_ERROR: ['当前场景不支持第三方授权', 'Authorisation of third parties is not supported here.'],
  MRCHPROD_QUERY_ERROR: ['支付宝查询商户产品失败', 'Alipay could not look up the product of the merchant.'],
  PERM_PAY_USER_DAILY_QUOTA_ORG_BALANCE_LIMIT: ['付款账户今日余额付款额度已用完', 'The payer has used up the quota of the day.'],
  PERM_PAY_USER_MONTH_QUOTA_ORG_BALANCE_LIMIT: ['付款账户本月余额付款额度已用完', 'The payer has used up the quota of the month.'],
  PERM_PAY_CUSTOMER_DAILY_QUOTA_ORG_BALANCE_LIMIT: ['付款主体今日余额付款额度已用完', 'The company of the payer has used up the quota of the day.'],
  PERM_PAY_CUSTOMER_MONTH_QUOTA_ORG_BALANCE_LIMIT: ['付款主体本月余额付款额度已用完', 'The company of the payer has used up the quota of the month.'],
};

/** Errors that sound final, although an order may exist. Only a query shows whether it does. */
const uncertainErrors: Readonly<Record<string, LocalizedText>> = {
  PAYMENT_INFO_INCONSISTENCY: ['该单号已用其他参数提交过', 'This number was already sent with other parameters.'],
  BIZ_UNIQUE_EXCEPTION: ['该单号已有订单', 'An order with this number already exists.'],
  PAYMENT_TIME_EXPIRE: ['超过可支付时间', 'The payment can no longer be made, because its time has expired.'],
  PAYMENT_TIME_EXPIRED: ['超过可支付时间', 'The payment can no longer be made, because its time has expired.'],
  SECURITY_CHECK_FAILED: ['安全检查未通过', 'The security check failed.'],
  PAYMENT_FAIL: ['支付失败，原因待查询', 'The payment failed. A query will show the reason.'],
  TRANSFER_ERROR: ['转账失败，原因待查询', 'The transfer failed. A query will show the reason.'],
  PROCESS_FAIL: ['资金处理失败，结果待查询', 'The processing failed. A query will show the result.'],
  ILLEGAL_OPERATION: ['请求被支付宝拦截，结果待查询', 'Alipay has blocked the request. A query will show the result.'],
};

/** Documented errors by their meaning for the order. An error that is not listed is not final. */
export const alipayErrors = { final: finalErrors, temporary: temporaryErrors, uncertain: uncertainErrors } as const;

const texts: Readonly<Record<string, LocalizedText>> = { ...finalErrors, ...temporaryErrors, ...uncertainErrors };

/** Tests whether the same request would be refused again. */
export const isFinalError = (code: string): boolean => Object.hasOwn(finalErrors, code);

/** Describes an error, Chinese first: the message of Alipay, if any, or our Chinese text, then our English text for a documented code. */
export function describeError(code: string, message = ''): string {
  const [zh, en] = Object.hasOwn(texts, code) ? (texts[code] as LocalizedText) : [];
  return [code, message || zh, en].filter(Boolean).join(' ');
}

import { problem } from '#shared/errors';

/** Reasons why payees, rules and reports are refused. */
export const payeeProblems = {
  partialView: problem(403, [
    '您只能看到部分收款人或付款，不能查看收款人收入',
    'You see only a part of the payees or payments, so the income of payees is not available to you.',
  ]),
  ownIdentity: problem(403, ['不能核验自己', 'You cannot verify yourself.']),
  ownEntry: problem(403, ['身份信息由您最后登记或修改，须由他人核验', 'You entered or changed this identity last, so another person has to verify it.']),
  noUser: problem(400, ['用户不存在', 'User not found.']),
  wrongIdNumber: problem(400, ['身份证号码不正确，请核对 18 位号码', 'The ID card number is not valid. Check its 18 characters.']),
  wrongDocument: problem(400, ['证件号码须为 5 至 30 位字母或数字', 'A document number has 5 to 30 letters or digits.']),
  wrongAlipay: problem(400, ['支付宝账号须为手机号或邮箱', 'An Alipay account is a phone number or an e-mail address.']),
  wrongCard: problem(400, ['银行卡号须为 8 至 30 位数字', 'A card number has 8 to 30 digits.']),
  incomplete: problem(409, ['收款人的姓名或证件不完整，不能核验', 'The name or the document of the payee is missing.']),
  notVerifiable: problem(409, ['该收款人已核验', 'This payee has already been verified.']),
  notRejectable: problem(409, ['该收款人已驳回', 'This payee has already been rejected.']),
};

/**
 * Words of common passwords, in lower case, without the digits and symbols around them: `woaini1314`, `P@ssw0rd!` and `admin2024` are all found by their word. The
 * lists of large breaches differ more in order than in content; this one holds the words that all of them share and those common in China.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `password passwort passw passwd pass pwd mypassword yourpassword thepassword passwordpassword contrasena motdepasse parola senha secret topsecret mysecret
  admin administrator adminadmin root rootroot toor system sysadmin superuser super superadmin manager operator user users username guest public private
  test testing tester testtest demo demodemo sample example default temp temporary changeme change newpassword newpass initial welcome welcomeback hello helloworld hellohello
  login signin logon letmein letmeinnow access master mastermaster server service support office company business backup database oracle mysql postgres redis
  windows linux ubuntu apple google baidu tencent alibaba taobao wechat weixin alipay huawei xiaomi iphone samsung microsoft facebook twitter instagram linkedin youtube
  qwer qwert qwerty qwertyu qwertyui qwertyuiop qwertyqwerty qwerqwer asdf asdfg asdfgh asdfghj asdfghjk asdfghjkl asdfasdf zxcv zxcvb zxcvbn zxcvbnm zxcvzxcv
  qaz qazwsx qazwsxedc wsx wsxedc edcrfv rfvtgb qweasd qweasdzxc asdzxc qweqwe asdasd zxczxc qazqaz poiuytrewq lkjhgfdsa mnbvcxz ytrewq
  abc abcd abcde abcdef abcdefg abcdefgh abcabc abcdabcd xyz xyzxyz aaa aaaa aaaaaa aaaaaaaa qqq qqqq qqqqqq zzz zzzzzz xxx xxxxxx asd zxc qwe
  iloveyou iloveu iloveme ilovegod ilovemom ilovechina ilove love loveme lovely loveyou lover lovers loveu loveyouforever lovelove forever foreverlove mylove truelove
  woaini woaiwo woaini1314 woaiwojia woaimama woaibaba woainimen woaizhongguo woaizhonghua woshini woshishui woshiwo woshitiancai wobuzhidao aini ainiyiwannian ainiyou
  nihao nihaoma nihaonihao dajiahao xiexie zaijian zhongguo zhonghua beijing shanghai guangzhou shenzhen hangzhou chengdu tianjin chongqing wuhan nanjing
  wangyut wangwei wangfang lining liwei lina zhangwei zhangli liuwei liuyang chenchen lili lilili wangwang zhangzhang liuliu yangyang xiaoxiao baobao baobei beibei
  mima mimamima wodemima wangji wangjile laopo laogong laopolaogong qinaide taobaowang tianya tianshi tianxia mingming dandan jingjing tingting yingying xiaohei
  caonima tamade nimabi shabi sb250 dashabi hehe haha hahaha hehehe heihei lalala gongxifacai facai fadacai caishen jixiang ruyi
  dragon monkey tiger lion eagle falcon phoenix panda wolf horse snake shadow killer hunter ranger warrior soldier ninja samurai pirate master wizard
  sunshine moonlight starlight rainbow summer winter spring autumn flower butterfly princess prince queen king angel angels devil heaven diamond crystal silver golden
  football baseball basketball soccer hockey tennis golf golfer liverpool chelsea arsenal barcelona realmadrid juventus manchester yankees lakers cowboys steelers packers
  superman batman spiderman ironman pokemon pikachu naruto sasuke mario zelda minecraft fortnite starwars starcraft warcraft counterstrike matrix trustno jordan michael
  ashley jessica jennifer nicole daniel andrew thomas joshua matthew robert charlie william richard george jordan hannah michelle amanda anthony patrick maggie buster
  samantha alexander alexandra elizabeth stephanie christian christopher jonathan benjamin nicholas danielle brandon justin taylor austin ginger cookie pepper cheese
  chocolate banana orange strawberry cherry coffee pizza sugar candy peanut chicken freedom liberty justice america american canada london paris china chinese
  computer internet network keyboard monitor printer laptop security cyber hacker hacking whatever nothing something anything everything mustang corvette ferrari porsche mercedes
  yamaha harley honda toyota nissan camaro thunder lightning blizzard storm hurricane money dollar million lucky luckyme jackpot casino family mother father brother sister
  friend friends bestfriend baby babygirl babyboy honey sweetheart sweety darling sexy pussy fuckyou fuckoff fuckme fuck asshole bitch shit bullshit
  jesus jesuschrist christ blessed blessing faith gabriel michelle marina victoria valentina natasha svetlana anastasia ivanov samsungsamsung zaqwsx zaqxsw xswzaq
  nicetomeetyou goodluck goodmorning goodnight happy happyday happybirthday birthday holiday christmas newyear january february march april may june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday marquee backoffice console staff employee finance cashier auditor boss laoban yuangong caiwu`
    .split(/\s+/)
    .filter(Boolean),
);

/** Common passwords without a word in them. */
export const commonDigits: readonly string[] =
  `0 00 000 0000 00000 000000 00000000 1 11 111 1111 11111 111111 1111111 11111111 222222 333333 444444 555555 666666 777777 888888 999999 66666666 88888888 99999999
  12 123 1234 12345 123456 1234567 12345678 123456789 1234567890 0123456789 0123456 012345 654321 54321 4321 321 87654321 987654321 9876543210
  123123 123321 112233 121212 123654 147258 147258369 159753 159357 258456 789456 789456123 741852 741852963 963852741 102030 131313 101010 1122334455
  520 521 1314 5201314 520520 521521 13145 1314520 1314521 5211314 52013145 7758521 7758258 584520 5845201314 110 110110 119 120 168 168168 518 888 666 888888 666666
  1a2b3c 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz 1qaz2wsx 1qaz2wsx3edc 2wsx3edc zaq12wsx q1w2e3r4 a1b2c3 a1b2c3d4 abc123 abc12345 123abc 123qwe 123qweasd qwe123 asd123 1qazxsw2 qazwsx123
  007 69 99 01 02 2000 2008 2012 2020 2021 2022 2023 2024 2025 2026 2027 @ ! # . !@# !@#$ !@#$% !@#$%^ !@#$%^&* @123 @1234 @123456 #123 123! 123@ 1! 1@ _123 -123`
    .split(/\s+/)
    .filter(Boolean);

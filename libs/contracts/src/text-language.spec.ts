import { expect, test } from '@jest/globals';
import { languageOf } from './text-language.ts';

test.each([
  ['東京で小さな本を作っています。', 'ja'],
  ['ポエム', 'ja'],
  ['한국어로 씁니다', 'ko'],
  ['我们在这里写诗', 'zh'],
  ['她一個人在山中讀書寫字畫畫唱歌', 'zh'],
  ['我爱写诗', 'zh'],
  ['鲜の每日手作，你好', 'zh'],
  ['春の海', 'ja'],
  ['أكتب رسائل من القاهرة', 'ar'],
  ['اردو میں لکھتے ہیں', 'ur'],
  ['אני כותבת שירים', 'he'],
  ['Я пишу стихи и эссе', 'ru'],
  ['Пишу вірші українською: їжак', 'uk'],
  ['Γράφω ποιήματα', 'el'],
  ['ฉันเขียนบทกวี', 'th'],
  ['ຂ້ອຍຂຽນ', 'lo'],
  ['ខ្ញុំសរសេរ', 'km'],
  ['ನಾನು ಬರೆಯುತ್ತೇನೆ', 'kn'],
  ['ഞാൻ എഴുതുന്നു', 'ml'],
  ['હું લખું છું', 'gu'],
  ['ਮੈਂ ਲਿਖਦਾ ਹਾਂ', 'pa'],
  ['ମୁଁ ଲେଖେ', 'or'],
  ['මම ලියනවා', 'si'],
  ['އަހަރެން ލިޔަން', 'dv'],
  ['ინგლისური და ქართული', 'ka'],
  ['YOSHIKI 太郎です、よろしくお願いします', 'ja'],
])('%s is in %s', (text, language) => expect(languageOf(text)).toBe(language));

test.each([
  ['東京日記', 'und-Hani'],
  ['全国高等学校野球選手権大会記録集', 'und-Hani'],
  ['出没注意 几帳面 小說 哪吒', 'und-Hani'],
  ['國學院大學文學部日本文學科研究室', 'und-Hani'],
  ['大韓民國臨時政府樹立紀念館展示圖錄', 'und-Hani'],
  ['Пиша стихове', 'und-Cyrl'],
  ['می‌خواهم', 'und-Arab'],
  ['मैं कविता', 'und-Deva'],
  ['Амара', 'und-Cyrl'],
  ['ကဗျာ', 'und-Mymr'],
  ['སྙན་ངག', 'und-Tibt'],
  ['ᠮᠣᠩᠭᠣᠯ', 'und-Mong'],
])('the text %s proves only its script: %s', (text, language) => expect(languageOf(text)).toBe(language));

test.each([
  '',
  'R150',
  '€ 12',
  'I write letters.',
  'J’écris des poèmes',
  'Nguyễn',
  'My favourite word is 猫',
])('the language of %j is unknown [contracts-11]', (text) => expect(languageOf(text)).toBe(''));

test("a short text takes the language of the same author's other texts in its script", () => {
  expect(languageOf('東京日記', 'I write', '東京で作っています')).toBe('ja');
  expect(languageOf('東京日記', '我们在这里')).toBe('zh');
  expect(languageOf('東京日記', 'Я пишу эссе')).toBe('und-Hani');
  expect(languageOf('R150', '東京で作っています')).toBe('');
});

test("a text without proof is judged together with the same author's other texts", () => {
  const title = '全国高等学校野球選手権大会記録集';
  expect(languageOf(title, '大会の記録をまとめました。')).toBe('ja');
  expect(languageOf(title, 'I collect', '我们在这里')).toBe('zh');
  expect(languageOf('كتاب جديد')).toBe('ar');
  expect(languageOf('كتاب جديد', 'می‌خواهم بنویسم')).toBe('und-Arab');
  expect(languageOf('كتاب جديد', 'اردو میں لکھتے ہیں')).toBe('ur');
  expect(languageOf('Ырлар жыйнагы', 'Мен өлең жазам, үйдө')).toBe('und-Cyrl');
  expect(languageOf('Мы пишем стихи', 'Пишу вірші: їжак')).toBe('ru');
});

/** Languages the embedded speech engines can speak. */
const SPOKEN = new Set(
  (
    'af am an ar as az ba be bg bn bs ca cmn cs cy da de el en eo es et eu fa fi fr ga gd gu he hi hr ht hu hy ia id ' +
    'is it ja ka kk kn ko ku ky la lb lt lv mi mk ml mr ms mt my nb ne nl om or pa pl ps pt ro ru sd si sk sl sq sr ' +
    'sv sw ta te th tk tr tt ug uk ur uz vi yue'
  ).split(' '),
)

export const canSpeak = (language: string) => SPOKEN.has(language)

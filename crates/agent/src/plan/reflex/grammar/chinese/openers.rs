//! What stands before a Chinese clause without saying anything, and clauses that are no steps.

use crate::plan::reflex::grammar::Why;

pub(super) const FILLERS: &[&str] = &[
    "请你帮我",
    "请帮我",
    "请帮忙",
    "麻烦你帮我",
    "麻烦帮我",
    "麻烦你",
    "麻烦",
    "帮我",
    "帮忙",
    "请您",
    "请你",
    "请",
    "我想要",
    "我想",
    "我要",
    "我需要",
    "你需要",
    "需要",
    "给我",
    "然后",
    "接着",
    "接下来",
    "随后",
    "紧接着",
    "之后",
    "最后再",
    "最后",
    "首先",
    "其次",
    "先",
    "再",
    "并且",
    "并",
    "同时",
    "现在",
    "下面",
    "直接",
    "就",
    "尝试",
    "试着",
    "继续",
];

pub(super) fn strip_fillers(text: &str) -> &str {
    let signs = |c: char| c.is_whitespace() || "，,。.、；;：:！!".contains(c);
    let mut text = text.trim_matches(signs);
    loop {
        let before = text;
        for filler in FILLERS {
            let Some(rest) = text.strip_prefix(filler) else { continue };
            // `最后一个…` counts, `请求` and `先生` are words.
            let ordinal = filler.ends_with("最后") && rest.starts_with(['一', '的', '个', '那']);
            let word = rest.starts_with(['求', '生', '假', '见']);
            if !ordinal && !word && !rest.trim_matches(signs).is_empty() {
                text = rest.trim_matches(signs);
                break;
            }
        }
        for tail in ["吧", "谢谢", "即可", "就行", "就好", "哦"] {
            text = text.strip_suffix(tail).unwrap_or(text).trim_matches(signs);
        }
        if text == before {
            return text;
        }
    }
}

pub(super) fn refuse(text: &str) -> Result<(), Why> {
    let says = |list: &[&str]| list.iter().any(|w| text.contains(w));
    if says(&["如果", "假如", "要是", "倘若", "否则", "除非", "的话"]) {
        return Err("sets a condition; without a model steps are done as they stand".to_owned());
    }
    if says(&["每当", "循环", "重复执行", "逐个", "依次对", "直到"]) && !text.contains("滚") && !text.starts_with("等")
    {
        return Err("asks for a repetition; say each step, or how many times".to_owned());
    }
    if ["不要", "别", "禁止", "切勿", "请勿"].iter().any(|w| text.starts_with(w)) {
        return Err("says what not to do; without a model only steps are done".to_owned());
    }
    let asks = text.ends_with(['吗', '呢', '？', '?']) || says(&["什么", "怎么", "为什么", "哪个", "哪些", "多少"]);
    if asks {
        return Err("asks a question; without a model only steps are done".to_owned());
    }
    Ok(())
}

//! What stands before a Chinese clause without saying anything, and clauses that are no steps.

use crate::plan::reflex::grammar::Why;
use crate::plan::reflex::messages;

pub(super) const FILLERS: &[&str] = &[
    "看完以后",
    "看完之后",
    "看完后",
    "看完",
    "都填好以后",
    "都填好之后",
    "都填好后",
    "都填完以后",
    "都填完之后",
    "都填完后",
    "全部填完以后",
    "全部填完后",
    "全部填好以后",
    "全部填好后",
    "全都填好后",
    "填完之后",
    "填完以后",
    "填完后",
    "填好之后",
    "填好以后",
    "填好后",
    "都选好以后",
    "都选好后",
    "选好以后",
    "选好后",
    "都做完以后",
    "都做完后",
    "做完以后",
    "做完后",
    "完成以后",
    "别忘了",
    "不要忘了",
    "不要忘记",
    "记得",
    "依次",
    "分别",
    "这时",
    "此时",
    "接下来请",
    "劳驾",
    "烦请",
    "请先",
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
    "去",
    "来",
    "一起",
    "只需要",
    "只需",
    "尝试",
    "试着",
    "继续",
];

pub(in crate::plan::reflex::grammar) fn strip_fillers(text: &str) -> &str {
    let signs = |c: char| c.is_whitespace() || "，,。.、；;：:！!".contains(c);
    let mut text = text.trim_matches(signs);
    loop {
        let before = text;
        // `填完点 Go`, `选好后点 Go`: that the step before is done.
        let done = ["填", "输", "选", "勾", "做", "写", "设", "改", "弄", "点"]
            .iter()
            .find_map(|v| text.strip_prefix(v)?.strip_prefix(['完', '好']))
            .map(|rest| ["之后", "以后", "后", "了"].iter().fold(rest, |r, e| r.strip_prefix(e).unwrap_or(r)));
        if let Some(rest) = done.map(|r| r.trim_matches(signs)).filter(|r| super::pressing::starts_with_verb(r)) {
            text = rest;
        }
        // `重新填上X`, but `重新加载` is a step of its own.
        if let Some(rest) = text.strip_prefix("重新").or(text.strip_prefix("再次"))
            && rest.starts_with(['填', '输', '写', '选', '勾', '点'])
        {
            text = rest;
        }
        for filler in FILLERS {
            let Some(rest) = text.strip_prefix(filler) else { continue };
            // `最后一个…` counts, `请求` and `先生` are words.
            let ordinal = filler.ends_with("最后") && rest.starts_with(['一', '的', '个', '那']);
            let word = rest.starts_with(['求', '生', '假', '见', '除', '掉', '到', '往', '自', '源', '重', '是']);
            if !ordinal && !word && !rest.trim_matches(signs).is_empty() {
                text = rest.trim_matches(signs);
                break;
            }
        }
        for tail in [
            "吧",
            "谢谢",
            "谢谢你",
            "即可",
            "就行",
            "就行了",
            "就可以了",
            "就可以",
            "就好",
            "就好了",
            "哦",
            "好吗",
            "好了",
        ] {
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
        return Err(Why::from(messages::CONDITION));
    }
    if says(&["每当", "循环", "重复执行", "逐个", "依次对", "直到"]) && !text.contains("滚") && !text.starts_with("等")
    {
        return Err(Why::from(messages::REPETITION));
    }
    if text.contains('除') && says(&["以外", "之外", "外的", "外，", "外都"]) {
        return Err(Why::from(messages::EXCEPTS));
    }
    if FORBIDS.iter().any(|w| text.starts_with(w)) {
        return Err(Why::from(messages::FORBIDS));
    }
    let asks = text.ends_with(['吗', '呢', '？', '?']) || says(&["什么", "怎么", "为什么", "哪个", "哪些", "多少"]);
    if asks {
        return Err(Why::from(messages::ASKS));
    }
    Ok(())
}

const FORBIDS: &[&str] = &["不要", "别", "禁止", "切勿", "请勿", "不用", "不需要", "无需", "不必"];

/// What only says what is not to be done: `不要保存`, `其他的不要动`. Nothing is done that was not said, so it is kept by
/// doing nothing. Gives what stands behind its colon.
pub(super) fn aside(text: &str) -> Option<&str> {
    let text = ["但是", "不过", "但", "注意", "记住", "千万", "："].iter().fold(text.trim(), |t, l| {
        t.strip_prefix(l).unwrap_or(t).trim_start_matches(['，', ',', '：', ':']).trim_start()
    });
    let (said, rest) = text.split_once(['：', ':']).unwrap_or((text, ""));
    // These limit what is to be done in a way that has to be understood.
    let limits = ["只", "直到", "之前", "除非", "除了", "如果", "以外", "之外", "先", "忘"];
    if limits.iter().any(|l| said.contains(l)) {
        return None;
    }
    let others = ["其他的", "其它的", "其余的", "其他", "其它", "其余", "别的", "剩下的"]
        .iter()
        .find_map(|o| said.strip_prefix(o))
        .is_some_and(|r| {
            let r = ["选项", "都", "一概", "保持", "就", "设置", "字段", "内容", "项", "地方"]
                .iter()
                .fold(r, |r, l| r.strip_prefix(l).unwrap_or(r));
            [
                "不要动",
                "不用动",
                "别动",
                "不动",
                "不变",
                "不用管",
                "不要管",
                "不要碰",
                "别碰",
                "不要改",
                "不用改",
                "别管",
            ]
            .contains(&r.trim())
        });
    let forbids = FORBIDS.iter().any(|f| said.starts_with(f)) && !said.starts_with("别名") && !said.starts_with("别的");
    (others || forbids).then_some(rest.trim())
}

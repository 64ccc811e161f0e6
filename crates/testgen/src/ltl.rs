//! LTL: the synthesis of test strategies.

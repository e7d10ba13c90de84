;;; -*- lexical-binding: t -*-
;; SPDX-License-Identifier: MIT
;;
;; Emacs as a subject: decode-coding-string. What is ill-formed is kept as raw bytes; here U+DC00 plus the byte, as `surrogateescape' has it.
;; encode-coding-string.

(defun scalars (text)
  (if (equal text "") "-"
    (mapconcat (lambda (char) (format "%X" (if (>= char #x3FFF80) (- char #x3FFF00 (- #xDC00)) char))) text ",")))

(defun encoded (points)
  (if (seq-some (lambda (point) (> point (max-char))) points) "skip not offered"
    (let ((bytes (encode-coding-string (apply #'string points) 'utf-8-unix)))
      (concat "ok " (if (equal bytes "") "-" (mapconcat (lambda (byte) (format "%02X" byte)) bytes ""))))))

(defun answer (operation encoding &rest fields)
  (if (and (equal operation "encode") (equal encoding "utf-8") (equal (car fields) "strict"))
      (encoded (mapcar (lambda (point) (string-to-number point 16)) (split-string (cadr fields) "[-,]" t)))
    (decoded operation encoding fields)))

(defun decoded (operation encoding fields)
  (let ((hex (car (last fields))))
    (if (not (and (equal encoding "utf-8") (equal operation "decode") (equal (car fields) "own") (not (string-match-p "," hex))))
        "skip not offered"
      (let ((bytes (apply #'unibyte-string
                          (and (not (equal hex "-")) (mapcar (lambda (i) (string-to-number (substring hex i (+ i 2)) 16)) (number-sequence 0 (- (length hex) 2) 2))))))
        (concat "ok " (scalars (decode-coding-string bytes 'utf-8-unix)))))))

(condition-case nil
    (while t
      (let ((words (split-string (read-from-minibuffer ""))))
        (princ (if (equal (car words) "hello")
                   (format "hello assay/1 emacs %s encodings=utf-8 policies=own,strict ops=decode,encode chunks=no\n" emacs-version)
                 (concat (car words) " " (apply #'answer (cdr words)) "\n")))))
  (end-of-file nil))
